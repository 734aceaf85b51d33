#include "server/model_io/model_message.h"

#include "rt/model/finding_list.h"
#include "server/model_io/file_in_folder.h"
#include "server/model_io/mesh_file.h"
#include "server/model_io/message_fields.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <algorithm>
#include <string>
#include <vector>

namespace tactus::server {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

/// A server reads no files of its clients.
void refuseFile(const std::string& path, const v1::SurfaceGrid& grid, rt::FindingList& out) {
  if (!grid.file().empty())
    out.error(path + ".file", rt::printed(grid.file()), kNoFolder,
              "tactus model print writes the model with the values in place of the file");
}

void keepLists(const Message& given, Message& out) {
  const Reflection& reflection = *given.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(given, &fields);
  for (const FieldDescriptor* field : fields) {
    const bool is_message = field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
    if (is_message && !field->is_repeated()) {
      keepLists(reflection.GetMessage(given, field), *reflection.MutableMessage(&out, field));
      continue;
    }
    if (!field->is_repeated()) continue;
    const int size = reflection.FieldSize(given, field);
    if (is_message && field->message_type() != v1::Coefficient::descriptor()) {
      for (int i = 0; i < std::min(size, reflection.FieldSize(out, field)); ++i)
        keepLists(reflection.GetRepeatedMessage(given, field, i), *reflection.MutableRepeatedMessage(&out, field, i));
      continue;
    }
    if (!is_message && field->cpp_type() != FieldDescriptor::CPPTYPE_DOUBLE) continue;
    reflection.ClearField(&out, field);
    for (int i = 0; i < size; ++i)
      if (is_message)
        reflection.AddMessage(&out, field)->CopyFrom(reflection.GetRepeatedMessage(given, field, i));
      else
        reflection.AddDouble(&out, field, reflection.GetRepeatedDouble(given, field, i));
  }
}

}  // namespace

std::vector<rt::Finding> fromProto(const v1::Model& message, rt::ModelSpec& spec) {
  rt::FindingList out;
  readFields(message, rt::ModelSpec::fields(), &spec, "", out);
  for (int i = 0; i < message.roads_size(); ++i) {
    const std::string path = rt::element("roads", static_cast<std::size_t>(i));
    refuseFile(path + ".heights", message.roads(i).heights(), out);
    refuseFile(path + ".frictions", message.roads(i).frictions(), out);
  }
  for (int i = 0; i < message.forces_size(); ++i) {
    const v1::MagicFormulaTyre& tyre = message.forces(i).slip_tyre().magic_formula();
    const std::string path = rt::element("forces", static_cast<std::size_t>(i)) + ".slip_tyre.magic_formula";
    if (!tyre.file().empty())
      out.error(path + ".file", rt::printed(tyre.file()), kNoFolder,
                "tactus model print writes the model with the coefficients in place of the file");
    else if (!tyre.side().empty())
      out.error(path + ".side", rt::printed(tyre.side()), "must be left out without file",
                "mirrored says whether the coefficients are those of the other side");
  }
  checkMeshes(message, out);
  return out.take();
}

v1::Model toProto(const rt::ModelSpec& spec) {
  v1::Model model;
  writeFields(&spec, rt::ModelSpec::fields(), model);
  return model;
}

v1::Model toProto(const rt::ModelSpec& spec, const v1::Model& given) {
  v1::Model model = toProto(spec);
  keepLists(given, model);
  return model;
}

}  // namespace tactus::server
