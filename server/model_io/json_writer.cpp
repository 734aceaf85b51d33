#include "server/model_io/json_writer.h"

#include "rt/model/finding_list.h"

#include <google/protobuf/descriptor.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <vector>

namespace tactus::server {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

std::string indent(int depth) {
  return std::string(static_cast<std::size_t>(2 * depth), ' ');
}

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string number(double value) {
  if (std::isnan(value)) return "\"NaN\"";
  if (std::isinf(value)) return value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
  if (value == 0 && std::signbit(value)) return "-0.0";  // "-0" would be read as a whole number, which has no such sign
  return rt::printed(value);
}

std::string object(const Message& message, int depth);

/// Value of a field, or of its element `i` if that is not negative.
std::string value(const Message& message, const FieldDescriptor& field, int i, int depth) {
  const Reflection& reflection = *message.GetReflection();
  const bool one = i < 0;
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return number(one ? reflection.GetDouble(message, &field) : reflection.GetRepeatedDouble(message, &field, i));
    case FieldDescriptor::CPPTYPE_STRING:
      return quoted(one ? reflection.GetString(message, &field) : reflection.GetRepeatedString(message, &field, i));
    case FieldDescriptor::CPPTYPE_UINT32:
      return std::to_string(one ? reflection.GetUInt32(message, &field)
                                : reflection.GetRepeatedUInt32(message, &field, i));
    case FieldDescriptor::CPPTYPE_BOOL: return reflection.GetBool(message, &field) ? "true" : "false";
    case FieldDescriptor::CPPTYPE_ENUM:
      return quoted(
          (one ? reflection.GetEnum(message, &field) : reflection.GetRepeatedEnum(message, &field, i))->name());
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return object(one ? reflection.GetMessage(message, &field) : reflection.GetRepeatedMessage(message, &field, i),
                    depth);
    default: throw Error("no JSON form is written for fields of type " + std::string(field.cpp_type_name()));
  }
}

std::string list(const Message& message, const FieldDescriptor& field, int depth) {
  const int size = message.GetReflection()->FieldSize(message, &field);
  const bool one_line = field.cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE;
  std::string text = "[";
  for (int i = 0; i < size; ++i) {
    if (i > 0) text += one_line ? ", " : ",";
    if (!one_line) text += '\n' + indent(depth + 1);
    text += value(message, field, i, depth + 1);
  }
  if (!one_line) text += '\n' + indent(depth);
  return text + ']';
}

std::string object(const Message& message, int depth) {
  std::vector<const FieldDescriptor*> fields;
  message.GetReflection()->ListFields(message, &fields);
  if (fields.empty()) return "{}";
  std::string text = "{";
  for (const FieldDescriptor* field : fields) {
    text += (field == fields.front() ? "\n" : ",\n") + indent(depth + 1) + '"' + field->name() + "\": ";
    text += field->is_repeated() ? list(message, *field, depth + 1) : value(message, *field, -1, depth + 1);
  }
  return text + '\n' + indent(depth) + '}';
}

}  // namespace

std::string writeJson(const Message& message) {
  return object(message, 0) + '\n';
}

}  // namespace tactus::server
