#include "server/model_io/element_names.h"

#include "rt/model/elements/element.h"

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <vector>

namespace tactus::server {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

constexpr const char* kReferences[] = {"body",  "body_1",  "body_2",  "carrier", "drive", "elements", "force",
                                       "joint", "joint_1", "joint_2", "joints",  "road",  "spring",   "table"};

/// The target of a parameter after names of elements got a prefix: "bodies.arm.mass", "forces[tyre].radius". An index
/// stays what it is: appending shifts it later.
std::string prefixedTarget(const std::string& target, const std::string& prefix) {
  std::size_t at = target.find_first_of(".[");
  if (at == std::string::npos || at + 1 >= target.size()) return target;
  const bool is_index = target[at] == '[' && std::isdigit(static_cast<unsigned char>(target[at + 1])) != 0;
  if (is_index || target.substr(0, at) == "gravity") return target;
  return target.substr(0, at + 1) + prefix + target.substr(at + 1);
}

}  // namespace

bool isReference(const std::string& field) {
  return std::find(std::begin(kReferences), std::end(kReferences), field) != std::end(kReferences);
}

void eachReference(Message& message, const std::function<void(std::string& name)>& visit) {
  const Reflection& reflection = *message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      if (!field->is_repeated()) {
        eachReference(*reflection.MutableMessage(&message, field), visit);
        continue;
      }
      for (int i = 0; i < reflection.FieldSize(message, field); ++i)
        eachReference(*reflection.MutableRepeatedMessage(&message, field, i), visit);
    } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_STRING && isReference(field->name())) {
      if (!field->is_repeated()) {
        std::string name = reflection.GetString(message, field);
        visit(name);
        reflection.SetString(&message, field, name);
        continue;
      }
      for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
        std::string name = reflection.GetRepeatedString(message, field, i);
        visit(name);
        reflection.SetRepeatedString(&message, field, i, name);
      }
    }
  }
}

void prefixNames(v1::Model& model, const std::string& prefix, const std::string& ground) {
  if (prefix.empty() && ground == rt::kGroundName) return;
  eachReference(model, [&](std::string& name) {
    if (name.empty()) return;
    name = name == rt::kGroundName ? ground : prefix + name;
  });
  const Reflection& reflection = *model.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(model, &fields);
  for (const FieldDescriptor* list : fields) {
    if (!list->is_repeated() || list->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    const FieldDescriptor* name = list->message_type()->FindFieldByName("name");
    if (name == nullptr) continue;
    for (int i = 0; i < reflection.FieldSize(model, list); ++i) {
      Message& element = *reflection.MutableRepeatedMessage(&model, list, i);
      element.GetReflection()->SetString(&element, name, prefix + element.GetReflection()->GetString(element, name));
    }
  }
  for (v1::Parameter& parameter : *model.mutable_parameters())
    for (std::string& target : *parameter.mutable_targets()) target = prefixedTarget(target, prefix);
}

}  // namespace tactus::server
