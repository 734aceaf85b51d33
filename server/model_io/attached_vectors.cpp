#include "server/model_io/attached_vectors.h"

#include <google/protobuf/descriptor.h>

#include <cmath>
#include <map>
#include <string>

namespace tactus::server {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

using Visit = std::function<void(const std::string& body, Numbers& numbers, VectorKind kind)>;

bool begins(const std::string& text, const char* with) {
  return text.rfind(with, 0) == 0;
}

/// Fields that end in _1 or _2: points, axes, directions and orientations on one of two bodies.
void visitPair(Message& kind, const std::string& body_1, const std::string& body_2, const Visit& visit) {
  for (int i = 0; i < kind.GetDescriptor()->field_count(); ++i) {
    const FieldDescriptor& field = *kind.GetDescriptor()->field(i);
    const std::string& name = field.name();
    if (!field.is_repeated() || field.cpp_type() != FieldDescriptor::CPPTYPE_DOUBLE) continue;
    const bool first = name.size() > 2 && name.compare(name.size() - 2, 2, "_1") == 0;
    const bool second = name.size() > 2 && name.compare(name.size() - 2, 2, "_2") == 0;
    if (!first && !second) continue;
    const VectorKind what = begins(name, "point")         ? VectorKind::kPoint
                            : begins(name, "orientation") ? VectorKind::kOrientation
                                                          : VectorKind::kDirection;
    const Reflection& reflection = *kind.GetReflection();
    Numbers numbers;
    for (int k = 0; k < reflection.FieldSize(kind, &field); ++k)
      numbers.Add(reflection.GetRepeatedDouble(kind, &field, k));
    visit(first ? body_1 : body_2, numbers, what);
    reflection.ClearField(&kind, &field);
    for (const double number : numbers) reflection.AddDouble(&kind, &field, number);
  }
}

template <typename Kind>
void visitPair(Kind& kind, const Visit& visit) {
  visitPair(kind, kind.body_1(), kind.body_2(), visit);
}

/// The message that a oneof holds; null: none.
Message* heldBy(Message& element, const char* oneof) {
  const Reflection& reflection = *element.GetReflection();
  const FieldDescriptor* const kind =
      reflection.GetOneofFieldDescriptor(element, element.GetDescriptor()->FindOneofByName(oneof));
  return kind == nullptr ? nullptr : reflection.MutableMessage(&element, kind);
}

void visitForce(v1::Force& force, const Visit& visit) {
  constexpr auto kOrigin = VectorKind::kOriginPoint;
  constexpr auto kDirection = VectorKind::kDirection;
  switch (force.kind_case()) {
    case v1::Force::kTranslationalSpring: return visitPair(*force.mutable_translational_spring(), visit);
    case v1::Force::kBeamElement: return visitPair(*force.mutable_beam_element(), visit);
    case v1::Force::kBushing:
      visitPair(*force.mutable_bushing(), visit);
      return visit(force.bushing().body_1(), *force.mutable_bushing()->mutable_orientation(), VectorKind::kOrientation);
    case v1::Force::kVerticalTyre:
      return visit(force.vertical_tyre().body(), *force.mutable_vertical_tyre()->mutable_centre(), kOrigin);
    case v1::Force::kSlipTyre:
      visit(force.slip_tyre().body(), *force.mutable_slip_tyre()->mutable_centre(), kOrigin);
      return visit(force.slip_tyre().body(), *force.mutable_slip_tyre()->mutable_axis(), kDirection);
    case v1::Force::kAirLoad:
      visit(force.air_load().body(), *force.mutable_air_load()->mutable_point(), kOrigin);
      visit(force.air_load().body(), *force.mutable_air_load()->mutable_up(), kDirection);
      return visit(force.air_load().body(), *force.mutable_air_load()->mutable_across(), kDirection);
    case v1::Force::kRope:
      for (v1::RopePoint& point : *force.mutable_rope()->mutable_points())
        visit(point.body(), *point.mutable_point(), VectorKind::kPoint);
      return;
    case v1::Force::kModeSpring:
      for (v1::ModeSpringPart& part : *force.mutable_mode_spring()->mutable_parts()) {
        visit(force.mode_spring().body(), *part.mutable_reference_point(), kOrigin);
        visit(part.body(), *part.mutable_point(), kOrigin);
      }
      return;
    default: return;
  }
}

/// Elements with a body and, some of them, a point and a direction in one of two frames.
template <typename Element>
void visitPoint(Element& element, const Visit& visit) {
  if constexpr (requires { element.mutable_point(); })
    visit(element.body(), *element.mutable_point(), VectorKind::kOriginPoint);
  if (element.frame() == v1::FRAME_BODY) visit(element.body(), *element.mutable_direction(), VectorKind::kDirection);
}

void visitSensor(v1::Sensor& sensor, const Visit& visit) {
  switch (sensor.kind_case()) {
    case v1::Sensor::kPointPosition: return visitPoint(*sensor.mutable_point_position(), visit);
    case v1::Sensor::kPointVelocity: return visitPoint(*sensor.mutable_point_velocity(), visit);
    case v1::Sensor::kPointAcceleration: return visitPoint(*sensor.mutable_point_acceleration(), visit);
    case v1::Sensor::kSpecificForce: return visitPoint(*sensor.mutable_specific_force(), visit);
    case v1::Sensor::kAngularVelocity: return visitPoint(*sensor.mutable_angular_velocity(), visit);
    default: return;
  }
}

using WorldVisit = std::function<void(Numbers& numbers, VectorKind kind)>;

/// The direction of an element unless it is given in the frame of a body.
template <typename Element>
void visitDirection(Element& element, const WorldVisit& visit) {
  if (element.frame() != v1::FRAME_BODY) visit(*element.mutable_direction(), VectorKind::kDirection);
}

void visitDirection(v1::Sensor& sensor, const WorldVisit& visit) {
  switch (sensor.kind_case()) {
    case v1::Sensor::kPointPosition: return visitDirection(*sensor.mutable_point_position(), visit);
    case v1::Sensor::kPointVelocity: return visitDirection(*sensor.mutable_point_velocity(), visit);
    case v1::Sensor::kPointAcceleration: return visitDirection(*sensor.mutable_point_acceleration(), visit);
    case v1::Sensor::kSpecificForce: return visitDirection(*sensor.mutable_specific_force(), visit);
    case v1::Sensor::kAngularVelocity: return visitDirection(*sensor.mutable_angular_velocity(), visit);
    case v1::Sensor::kJointReaction: return visitDirection(*sensor.mutable_joint_reaction(), visit);
    default: return;
  }
}

void visitBeam(v1::Beam& beam, const WorldVisit& visit) {
  for (v1::BeamPoint& point : *beam.mutable_points()) visit(*point.mutable_position(), VectorKind::kPoint);
  visit(*beam.mutable_across(), VectorKind::kDirection);
  for (v1::BeamMount& mount : *beam.mutable_mounts()) {
    visit(*mount.mutable_axis(), VectorKind::kDirection);
    visit(*mount.mutable_offset(), VectorKind::kDirection);
  }
}

}  // namespace

void eachAttached(v1::Model& model, const Visit& visit) {
  for (v1::Body& body : *model.mutable_bodies())
    for (v1::Visual& visual : *body.mutable_visuals())
      visit(body.name(), *visual.mutable_position(), VectorKind::kOriginPoint);
  for (v1::Joint& joint : *model.mutable_joints())
    if (Message* kind = heldBy(joint, "kind")) visitPair(*kind, joint.body_1(), joint.body_2(), visit);
  for (v1::Force& force : *model.mutable_forces()) visitForce(force, visit);
  for (v1::Drive& drive : *model.mutable_drives())
    if (drive.has_distance()) visitPair(*drive.mutable_distance(), visit);
  for (v1::Composite& composite : *model.mutable_composites())
    if (composite.has_strut()) visitPair(*composite.mutable_strut(), visit);
  for (v1::Actuator& actuator : *model.mutable_actuators()) {
    if (actuator.has_body_force()) visitPoint(*actuator.mutable_body_force(), visit);
    if (actuator.has_body_torque()) visitPoint(*actuator.mutable_body_torque(), visit);
  }
  std::map<std::string, std::string> second;  // body 2 of each joint; of a coupler that of its first joint
  for (const v1::Joint& joint : model.joints()) {
    const auto& coupled = joint.coupler().coordinates();
    second[joint.name()] = coupled.empty() ? joint.body_2() : second[coupled[0].joint()];
  }
  for (v1::Sensor& sensor : *model.mutable_sensors()) {
    visitSensor(sensor, visit);
    if (sensor.joint_reaction().frame() == v1::FRAME_BODY)
      visit(second[sensor.joint_reaction().joint()], *sensor.mutable_joint_reaction()->mutable_direction(),
            VectorKind::kDirection);
  }
}

void eachInWorld(v1::Model& model, const WorldVisit& visit) {
  for (v1::Body& body : *model.mutable_bodies()) {
    if (body.has_placement()) continue;
    visit(*body.mutable_position(), VectorKind::kOriginPoint);
    visit(*body.mutable_orientation(), VectorKind::kOrientation);
    visit(*body.mutable_velocity(), VectorKind::kDirection);
  }
  for (v1::InitialCondition& condition : *model.mutable_initial_conditions())
    for (v1::BodyState& state : *condition.mutable_bodies()) {
      // What is left out stays as declared.
      visit(*state.mutable_position(), VectorKind::kPoint);
      if (state.orientation_size() > 0) visit(*state.mutable_orientation(), VectorKind::kOrientation);
      visit(*state.mutable_velocity(), VectorKind::kDirection);
    }
  for (v1::Road& road : *model.mutable_roads()) {
    visit(*road.mutable_origin(), VectorKind::kOriginPoint);
    visit(*road.mutable_up(), VectorKind::kDirection);
    visit(*road.mutable_along(), VectorKind::kDirection);
  }
  for (v1::Force& force : *model.mutable_forces())
    if (force.has_air_load()) visit(*force.mutable_air_load()->mutable_wind(), VectorKind::kDirection);
  for (v1::Composite& composite : *model.mutable_composites()) {
    if (composite.has_beam()) visitBeam(*composite.mutable_beam(), visit);
    if (!composite.has_modal_body()) continue;
    v1::ModalBody& body = *composite.mutable_modal_body();
    visit(*body.mutable_position(), VectorKind::kOriginPoint);
    visit(*body.mutable_orientation(), VectorKind::kOrientation);
    visit(*body.mutable_velocity(), VectorKind::kDirection);
  }
  for (v1::Actuator& actuator : *model.mutable_actuators()) {
    if (actuator.has_body_force()) visitDirection(*actuator.mutable_body_force(), visit);
    if (actuator.has_body_torque()) visitDirection(*actuator.mutable_body_torque(), visit);
  }
  for (v1::Sensor& sensor : *model.mutable_sensors()) visitDirection(sensor, visit);
}

void transform(Numbers& numbers, VectorKind kind, const Isometry& into) {
  if (kind == VectorKind::kOrientation) {
    const bool turns = into.rotation.vec().norm() > 0;
    constexpr double kUnit = 1e-6;  // as in rt/model/rules.cpp
    const bool is_rotation = numbers.size() == 4 && std::abs(Eigen::Vector4d(numbers.data()).stableNorm() - 1) <= kUnit;
    if (turns && (numbers.empty() || is_rotation)) setQuaternion(into.rotation * quaternionOf(numbers), numbers);
    return;
  }
  const bool is_origin = numbers.empty() && kind == VectorKind::kOriginPoint;
  if (!is_origin && numbers.size() != 3) return;
  if (is_origin && into.position.isZero(0)) return;
  const Eigen::Vector3d turned =
      into.rotation.vec().norm() > 0 ? Eigen::Vector3d(into.rotation * vectorOf(numbers)) : vectorOf(numbers);
  setVector(kind == VectorKind::kDirection ? turned : Eigen::Vector3d(into.position + turned), numbers);
}

Eigen::Vector3d vectorOf(const Numbers& numbers, const Eigen::Vector3d& otherwise) {
  return numbers.size() == 3 ? Eigen::Vector3d(numbers[0], numbers[1], numbers[2]) : otherwise;
}

Eigen::Quaterniond quaternionOf(const Numbers& numbers) {
  if (numbers.size() != 4) return Eigen::Quaterniond::Identity();
  const Eigen::Quaterniond q(numbers[0], numbers[1], numbers[2], numbers[3]);
  return q.norm() > 0 ? q.normalized() : Eigen::Quaterniond::Identity();
}

bool isVectorOrNone(const Numbers& numbers) {
  return numbers.empty() || numbers.size() == 3;
}

void setVector(const Eigen::Vector3d& vector, Numbers& numbers) {
  numbers.Clear();
  for (const double x : vector) numbers.Add(x);
}

void setQuaternion(const Eigen::Quaterniond& quaternion, Numbers& numbers) {
  numbers.Clear();
  const Eigen::Quaterniond q = quaternion.normalized();
  for (const double x : {q.w(), q.x(), q.y(), q.z()}) numbers.Add(x);
}

}  // namespace tactus::server
