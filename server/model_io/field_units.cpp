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

}  // namespace tactus::server
