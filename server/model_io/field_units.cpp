#include "server/model_io/field_units.h"

#include "rt/model/finding_list.h"
#include "rt/model/model_spec.h"

#include "tactus/v1/model.pb.h"

#include <optional>
#include <unordered_map>

namespace tactus::server {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
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

/// The message as one of its type; null: it is of another type.
template <typename Type>
const Type* as(const Message* message) {
  return message != nullptr && message->GetDescriptor() == Type::descriptor() ? static_cast<const Type*>(message)
                                                                              : nullptr;
}

/// Whether numbers of a message belong to an angle, and not to a length; none: nothing says it.
std::optional<bool> isAboutAngle(const Message& message, const Message* owner) {
  if (const auto* friction = as<v1::JointFriction>(&message)) return !friction->along_axis();
  if (as<v1::RotationalSpring>(owner) != nullptr) return true;
  if (as<v1::TranslationalSpring>(owner) != nullptr || as<v1::Strut>(owner) != nullptr) return false;
  const auto* const drive = as<v1::Drive>(owner);
  if (drive == nullptr || drive->target_case() == v1::Drive::TARGET_NOT_SET) return std::nullopt;
  return drive->has_angle();
}

/// Unit of one number of a matrix over three displacements and three rotations, or over the displacements alone: a
/// diagonal, or all elements row by row.
/// @param units  "N/m, N m/rad, N": of displacements, of rotations, of one by the other
std::string ofMatrix(const std::string& units, int index, int size) {
  const std::size_t one = units.find(", "), two = units.find(", ", one + 2);
  const std::string along = units.substr(0, one), about = units.substr(one + 2, two - one - 2),
                    between = units.substr(two + 2);
  if (size == 3 || size == 9) return along;
  if (size != 6 && size != 36) return units;
  const bool row_turns = (size == 6 ? index : index / 6) >= 3, column_turns = (size == 6 ? index : index % 6) >= 3;
  return row_turns != column_turns ? between : row_turns ? about : along;
}

}  // namespace

const std::string& unitOf(const FieldDescriptor& field) {
  static const Units units = allUnits();
  static const std::string none;
  const auto found = units.find(&field);
  return found == units.end() ? none : found->second;
}

bool unitDepends(const FieldDescriptor& field) {
  const std::string& unit = unitOf(field);
  return unit.find(" or ") != std::string::npos || unit.find(',') != std::string::npos;
}

std::string unitOf(const FieldDescriptor& field, int index, const Message& message, const Message* owner) {
  const std::string& unit = unitOf(field);
  if (unit == "N/m, N m/rad, N" || unit == "N s/m, N m s/rad, N s" || unit == "N, N m^2, N m")
    return ofMatrix(unit, index, message.GetReflection()->FieldSize(message, &field));
  if (const auto* grid = as<v1::SurfaceGrid>(&message)) {
    const auto* road = as<v1::Road>(owner);
    return road == nullptr ? unit : &road->heights() == grid ? "m" : "1";
  }
  const std::optional<bool> turns = isAboutAngle(message, owner);
  if (!turns) return unit;
  if (as<v1::Polynomial>(&message) != nullptr) {
    const std::string value = *turns ? "rad" : "m";
    return index == 0 ? value : value + "/s" + (index > 1 ? '^' + std::to_string(index) : "");
  }
  if (const auto* stop = as<v1::SpringStop>(&message); stop != nullptr && field.name() == "stiffness") {
    const double exponent = stop->has_exponent() ? stop->exponent() : 1;
    return (*turns ? "N m/rad" : "N/m") + (exponent == 1 ? "" : '^' + rt::printed(exponent));
  }
  const std::string word = " or ";
  const std::size_t middle = unit.find(word);
  if (middle == std::string::npos) return unit;
  const std::string first = unit.substr(0, middle), second = unit.substr(middle + word.size());
  const bool turns_first = first.find("rad") != std::string::npos || first == "N m";
  return turns_first == *turns ? first : second;
}

}  // namespace tactus::server
