#include "server/model_io/field_units.h"

#include "rt/model/model_spec.h"

#include "tactus/v1/model.pb.h"

#include <unordered_map>

namespace tactus::server {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using rt::Field;
using rt::FieldType;
using Units = std::unordered_map<const FieldDescriptor*, std::string>;

void collect(rt::Fields fields, const Descriptor& message, Units& units) {
  for (const Field& field : fields) {
    if (field.type == FieldType::kPart) {
      collect(field.records->fields(), message, units);
      continue;
    }
    if (field.type == FieldType::kKind) {
      for (const rt::KindInfo& kind : field.kinds->kinds)
        collect(kind.fields(), *message.FindFieldByName(kind.name)->message_type(), units);
      continue;
    }
    const FieldDescriptor& descriptor = *message.FindFieldByName(field.name);
    if (field.type == FieldType::kRecords) {
      collect(field.records->fields(), *descriptor.message_type(), units);
    } else if (field.type == FieldType::kInertia) {
      for (int i = 0; i < descriptor.message_type()->field_count(); ++i)
        units.emplace(descriptor.message_type()->field(i), field.meaning.unit);
    } else if (descriptor.cpp_type() == FieldDescriptor::CPPTYPE_DOUBLE) {
      units.emplace(&descriptor, field.meaning.unit);
    }
  }
}

/// Fields that are resolved before there is a description of the model.
struct Resolved {
  const char* message;
  const char* field;
  const char* unit;
};
constexpr Resolved kResolved[] = {
    {"Include", "position", "m"},      {"Include", "orientation", "1"},  {"Placement", "position", "m"},
    {"Placement", "orientation", "1"}, {"Placement", "point", "m"},      {"Placement", "angle", "rad"},
    {"Placement", "travel", "m"},      {"PointMass", "mass", "kg"},      {"PointMass", "point", "m"},
    {"InitialRate", "angle", "rad/s"}, {"InitialRate", "travel", "m/s"},
};

Units allUnits() {
  Units units;
  const Descriptor& model = *v1::Model::descriptor();
  collect(rt::ModelSpec::fields(), model, units);
  for (const Resolved& field : kResolved)
    units.emplace(model.file()->FindMessageTypeByName(field.message)->FindFieldByName(field.field), field.unit);
  return units;
}

}  // namespace

const std::string& unitOf(const FieldDescriptor& field) {
  static const Units units = allUnits();
  static const std::string none;
  const auto found = units.find(&field);
  return found == units.end() ? none : found->second;
}

std::string unitOf(const FieldDescriptor& field, const google::protobuf::Message* owner) {
  const std::string& unit = unitOf(field);
  const std::string word = " or ";
  const std::size_t middle = unit.find(word);
  if (owner == nullptr || middle == std::string::npos || unit.find(',') != std::string::npos) return unit;
  const Descriptor* const type = owner->GetDescriptor();
  const auto* const drive = type == v1::Drive::descriptor() ? static_cast<const v1::Drive*>(owner) : nullptr;
  const bool turns = type == v1::RotationalSpring::descriptor() || (drive && drive->has_angle());
  const bool slides =
      type == v1::TranslationalSpring::descriptor() || (drive && (drive->has_distance() || drive->has_travel()));
  if (!turns && !slides) return unit;
  const std::string first = unit.substr(0, middle), second = unit.substr(middle + word.size());
  return (first.find("rad") != std::string::npos) == turns ? first : second;
}

}  // namespace tactus::server
