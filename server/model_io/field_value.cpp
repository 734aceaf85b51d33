#include "server/model_io/field_value.h"

#include "rt/model/check_model.h"
#include "server/model_io/field_units.h"
#include "server/model_io/quantity.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace tactus::server {
namespace {

using google::protobuf::EnumDescriptor;
using google::protobuf::EnumValueDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

bool isUtf8(const std::string& text) {
  try {
    (void)nlohmann::json(text).dump();
    return true;
  } catch (const nlohmann::json::exception&) { return false; }
}

/// The double that a scalar stands for. What is not finite has these forms in JSON; the rules refuse it later.
bool toDouble(const Scalar& value, double& number) {
  number = value.number;
  if (value.kind == Scalar::Kind::kNumber) return true;
  if (value.kind != Scalar::Kind::kString) return false;
  if (value.text == "NaN") number = std::numeric_limits<double>::quiet_NaN();
  if (value.text == "Infinity") number = std::numeric_limits<double>::infinity();
  if (value.text == "-Infinity") number = -std::numeric_limits<double>::infinity();
  return !std::isfinite(number);
}

Refusal storeDouble(const Scalar& value, Message& message, const FieldDescriptor& field) {
  double number = 0;
  if (!toDouble(value, number)) {
    if (value.kind != Scalar::Kind::kString) return {"must be a number", ""};
    QuantityProblem problem;
    const auto quantity = quantityIn(value.text, unitOf(field), problem);
    if (!quantity) return {problem.rule, problem.hint};
    number = *quantity;
  }
  const Reflection& reflection = *message.GetReflection();
  if (field.is_repeated())
    reflection.AddDouble(&message, &field, number);
  else
    reflection.SetDouble(&message, &field, number);
  return {};
}

Refusal storeString(const Scalar& value, Message& message, const FieldDescriptor& field) {
  if (value.kind != Scalar::Kind::kString) return {"must be a text in quotes", ""};
  if (!isUtf8(value.text)) return {"must be UTF-8", ""};
  const Reflection& reflection = *message.GetReflection();
  if (field.is_repeated())
    reflection.AddString(&message, &field, value.text);
  else
    reflection.SetString(&message, &field, value.text);
  return {};
}

Refusal storeWhole(const Scalar& value, Message& message, const FieldDescriptor& field) {
  constexpr auto kMax = std::numeric_limits<std::uint32_t>::max();
  const bool fits = value.number >= 0 && value.number <= kMax && std::trunc(value.number) == value.number;
  if (value.kind != Scalar::Kind::kNumber || !fits) return {"must be a whole number, not below zero", ""};
  message.GetReflection()->SetUInt32(&message, &field, static_cast<std::uint32_t>(value.number));
  return {};
}

Refusal storeTruth(const Scalar& value, Message& message, const FieldDescriptor& field) {
  if (value.kind != Scalar::Kind::kWord || (value.text != "true" && value.text != "false"))
    return {"must be true or false", ""};
  message.GetReflection()->SetBool(&message, &field, value.text == "true");
  return {};
}

const EnumValueDescriptor* findEnum(const EnumDescriptor& descriptor, const Scalar& value) {
  if (value.kind != Scalar::Kind::kNumber) return descriptor.FindValueByName(value.text);
  constexpr double kMax = std::numeric_limits<int>::max();
  const bool fits = std::abs(value.number) <= kMax && std::trunc(value.number) == value.number;
  return fits ? descriptor.FindValueByNumber(static_cast<int>(value.number)) : nullptr;
}

std::string withArticle(const std::string& name) {
  const bool vowel = std::string("AEIOU").find(name.front()) != std::string::npos;
  return (vowel ? "an " : "a ") + name;
}

Refusal storeEnum(const Scalar& value, Message& message, const FieldDescriptor& field) {
  const EnumDescriptor& descriptor = *field.enum_type();
  if (const EnumValueDescriptor* found = findEnum(descriptor, value)) {
    message.GetReflection()->SetEnum(&message, &field, found);
    return {};
  }
  std::vector<std::string> names;
  for (int i = 0; i < descriptor.value_count(); ++i) names.push_back(descriptor.value(i)->name());
  return {"must be " + withArticle(descriptor.name()), didYouMean(value.text, names)};
}

}  // namespace

bool awaitsElement(const Scalar& value, const FieldDescriptor& field) {
  double number = 0;
  return field.cpp_type() == FieldDescriptor::CPPTYPE_DOUBLE && value.kind == Scalar::Kind::kString &&
         !toDouble(value, number) && unitDepends(field);
}

Refusal storeAwaiting(const std::string& text, const std::string& unit, Message& message, const FieldDescriptor& field,
                      int index) {
  QuantityProblem problem;
  const auto quantity = quantityIn(text, unit, problem);
  if (!quantity) return {problem.rule, problem.hint};
  if (field.is_repeated())
    message.GetReflection()->SetRepeatedDouble(&message, &field, index, *quantity);
  else
    message.GetReflection()->SetDouble(&message, &field, *quantity);
  return {};
}

Refusal storeScalar(const Scalar& value, Message& message, const FieldDescriptor& field) {
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_DOUBLE: return storeDouble(value, message, field);
    case FieldDescriptor::CPPTYPE_STRING: return storeString(value, message, field);
    case FieldDescriptor::CPPTYPE_UINT32: return storeWhole(value, message, field);
    case FieldDescriptor::CPPTYPE_BOOL: return storeTruth(value, message, field);
    case FieldDescriptor::CPPTYPE_ENUM: return storeEnum(value, message, field);
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return {"must be " + withArticle(field.message_type()->name()) + " { ... }", ""};
    default: return {"cannot be read: fields of type " + std::string(field.cpp_type_name()) + " are not supported", ""};
  }
}

std::string didYouMean(const std::string& name, const std::vector<std::string>& known) {
  const std::string nearest = rt::nearestName(name, known);
  if (!nearest.empty()) return "did you mean \"" + nearest + "\"?";
  std::string all;
  for (const std::string& one : known) all += (all.empty() ? "known: " : ", ") + one;
  return all;
}

}  // namespace tactus::server
