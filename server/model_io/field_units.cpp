#include "server/model_io/field_units.h"

#include "rt/model/finding_list.h"
#include "rt/model/model_spec.h"
#include "server/model_io/quantity.h"

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

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

/// "N/m, N m/rad, N" as its three parts.
std::array<std::string, 3> threeParts(const std::string& units) {
  const std::size_t one = units.find(", "), two = units.find(", ", one + 2);
  return {units.substr(0, one), units.substr(one + 2, two - one - 2), units.substr(two + 2)};
}

/// Unit of one number of a matrix over three displacements and three rotations, or over the displacements alone: a
/// diagonal, or all elements row by row.
/// @param units  "N/m, N m/rad, N": of displacements, of rotations, of one by the other
std::string ofMatrix(const std::string& units, int index, int size) {
  const auto [along, about, between] = threeParts(units);
  if (size == 3 || size == 9) return along;
  if (size != 6 && size != 36) return units;
  const bool row_turns = (size == 6 ? index : index / 6) >= 3, column_turns = (size == 6 ? index : index % 6) >= 3;
  return row_turns != column_turns ? between : row_turns ? about : along;
}

/// Unit of one number of a matrix of a modal body, over three displacements and three rotations of each interface.
/// @param units  "N/m, N, N m/rad": of displacements, of one by the other, of rotations
std::string ofModalBody(const std::string& units, const FieldDescriptor& field, int index, const v1::ModalBody& body) {
  const bool is_coupling = field.name() == "coupling";  // of interfaces and modes
  const std::int64_t rows = 6 * std::int64_t{body.interfaces_size()},
                     columns = is_coupling ? body.mode_stiffness_size() : rows;
  if (columns == 0 || body.GetReflection()->FieldSize(body, &field) != rows * columns) return units;
  const auto turns = [](std::int64_t coordinate) { return coordinate % 6 >= 3 ? 1u : 0u; };
  if (is_coupling) return turns(index / columns) > 0 ? "sqrt(kg) m" : "sqrt(kg)";
  return threeParts(units)[turns(index / columns) + turns(index % columns)];
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
  if (const auto* body = as<v1::ModalBody>(&message); body != nullptr && unitDepends(field))
    return ofModalBody(unit, field, index, *body);
  // Products of ratio and displacement are all in rad or all in m.
  if (const auto* coupled = as<v1::CoupledCoordinate>(&message))
    return coupled->along_axis() ? "1 or rad/m" : "1 or m/rad";
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

InputUnits::InputUnits(const v1::Model& model) {
  for (const v1::Force& force : model.forces()) {
    if (force.has_translational_spring()) springs_.emplace(force.name(), Spring::kLength);
    if (force.has_rotational_spring()) springs_.emplace(force.name(), Spring::kAngle);
    if (force.has_bushing()) springs_.emplace(force.name(), Spring::kBushing);
  }
  for (const v1::Composite& composite : model.composites())
    if (composite.has_strut())
      for (const char* part : {"", ".spring"}) springs_.emplace(composite.name() + part, Spring::kLength);
}

std::string InputUnits::of(const FieldDescriptor& field, const v1::SpringInput& input,
                           const v1::Actuator& actuator) const {
  std::vector<std::string> units = {"m", "rad", "N", "N m"};
  const bool sets_preload = input.quantity() == v1::SPRING_QUANTITY_PRELOAD;
  if (const auto found = springs_.find(input.spring()); found != springs_.end()) {
    const bool is_bushing = found->second == Spring::kBushing;
    const bool turns = is_bushing ? input.axis() > 3 : found->second == Spring::kAngle;
    if (sets_preload || is_bushing)
      units = {turns ? "N m" : "N"};
    else
      units = {turns ? "rad" : "m"};
  }
  QuantityProblem problem;
  const bool per_input = field.name() == "scale" && factorBetween(actuator.unit(), actuator.unit(), problem);
  std::string text;
  for (const std::string& unit : units) {
    text += (text.empty() ? "" : " or ") + unit;
    if (per_input) text += " or " + unit + "/(" + actuator.unit() + ')';
  }
  return text;
}

}  // namespace tactus::server
