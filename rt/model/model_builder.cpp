#include "rt/model/model_builder.h"

#include "rt/model/actuator.h"
#include "rt/model/directions.h"
#include "rt/model/elements/elements.h"
#include "rt/model/joint_builder.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tactus::rt {
namespace {

/// Index of the group of an actuator; a new one is added.
int groupOf(const ActuatorSpec& actuator, std::vector<std::string>& groups) {
  const std::string name = actuator.group.empty() ? kDefaultGroup : actuator.group;
  const auto found = std::find(groups.begin(), groups.end(), name);
  const auto index = static_cast<int>(found - groups.begin());
  if (found == groups.end()) groups.push_back(name);
  return index;
}

InitialCondition declaredState(const ModelSpec& spec) {
  InitialCondition state;
  for (const BodySpec& body : spec.bodies) {
    state.position.push_back(body.position);
    state.orientation.push_back(unitVector(body.orientation));
    state.velocity.push_back(body.velocity);
    state.angular_velocity.push_back(body.angular_velocity);
  }
  return state;
}

/// Gives every body of the terms its place among those of the joint; the first two are those of the first term.
void placeBodies(Coupler& coupler, Joint& joint, Model& model) {
  std::vector<int> bodies = {joint.body_1, joint.body_2};
  for (const Primitive& term : coupler.terms) {
    std::array<int, 2>& places = coupler.places.emplace_back(std::array<int, 2>{-1, -1});
    const int of_term[2] = {term.body_1, term.body_2};
    for (std::size_t side = 0; side < 2; ++side) {
      if (of_term[side] == kGround) continue;
      const auto known = std::find(bodies.begin(), bodies.end(), of_term[side]);
      places[side] = static_cast<int>(known - bodies.begin());
      if (known == bodies.end()) bodies.push_back(of_term[side]);
    }
  }
  if (bodies.size() % 2 != 0) bodies.push_back(kGround);
  joint.first_pair = static_cast<int>(model.extra_body_pairs.size());
  joint.pair_count = static_cast<int>(bodies.size()) / 2 - 1;
  for (std::size_t i = 2; i < bodies.size(); i += 2) model.extra_body_pairs.push_back({bodies[i], bodies[i + 1]});
}

}  // namespace

ModelBuilder::ModelBuilder(const ModelSpec& spec, Model& model)
    : spec_(spec), model_(model), poses_(spec.bodies.begin(), spec.bodies.end()) {}

void ModelBuilder::build() {
  addBodies();
  for (const JointSpec& joint : spec_.joints) addJoint(joint);
  for (const RoadSpec& road : spec_.roads) {
    roads_.add(road.name);
    model_.roads.push_back(makeRoad(road));
  }
  for (const ForceSpec& force : spec_.forces)
    std::visit([&](const auto& kind) { rt::build(kind, force, *this); }, force.kind);
  for (const DriveSpec& drive : spec_.drives) addDrive(drive);
  for (const ActuatorSpec& actuator : spec_.actuators) addActuator(actuator);
  if (model_.groups.empty()) model_.groups.emplace_back(kDefaultGroup);
  for (const SensorSpec& sensor : spec_.sensors) addSensor(sensor);
  addInitialConditions();
}

void ModelBuilder::append(const Joint& joint, const std::string& name, const std::string& description) {
  rows_.add(name);
  model_.joints.push_back(joint);
  model_.joint_names.push_back(name);
  model_.joint_descriptions.push_back(description);
}

void ModelBuilder::append(JointKind kind, const Vector3d& point_1, const Vector3d& point_2,
                          std::vector<Primitive> terms, int law, const std::string& name,
                          const std::string& description) {
  Joint joint{};
  for (Vector3d* v : {&joint.axis_1, &joint.axis_2, &joint.zero_1, &joint.zero_2}) v->setZero();
  joint.kind = kind;
  joint.point_1 = point_1;
  joint.point_2 = point_2;
  joint.body_1 = terms.front().body_1;
  joint.body_2 = terms.front().body_2;
  if (law >= 0) joint.law = LawKind::kCompliant;
  joint.law_index = law;
  joint.first_primitive = static_cast<int>(model_.primitives.size());
  joint.first_row = model_.rows++;
  joint.row_count = 1;

  Coupler coupler{model_.jointCount(), std::move(terms), {}};
  placeBodies(coupler, joint, model_);
  joint.coupler = static_cast<int>(model_.couplers.size());
  append(joint, name, description);
  model_.couplers.push_back(std::move(coupler));
}

void ModelBuilder::append(const JointFriction& friction, const std::string& name) {
  frictions_.add(name);
  model_.frictions.push_back(friction);
  model_.friction_names.push_back(name);
}

void ModelBuilder::append(const Powertrain& powertrain, const std::string& name) {
  powertrains_.add(name);
  model_.powertrains.push_back(powertrain);
  model_.powertrain_names.push_back(name);
}

int ModelBuilder::takeInternalStates(int count) {
  const int first = model_.internal_states;
  model_.internal_states += count;
  return first;
}

void ModelBuilder::addBodies() {
  for (const BodySpec& body : spec_.bodies) {
    bodies_.add(body.name);
    model_.bodies.push_back({body.mass, body.inertia});
    model_.body_names.push_back(body.name);
    model_.body_descriptions.push_back(body.description);
  }
}

void ModelBuilder::addJoint(const JointSpec& joint) {
  std::visit(
      [&]<typename Spec>(const Spec& kind) {
        if constexpr (requires { rt::build(kind, joint, *this); }) {
          rt::build(kind, joint, *this);  // it finds its bodies itself
        } else {
          JointBuilder rows(JointKind{Spec::kNumber}, body(joint.body_1), body(joint.body_2), *this);
          rt::build(kind, rows);
          rows.finish(joint.name, joint.description);
        }
      },
      joint.kind);
}

void ModelBuilder::addDrive(const DriveSpec& drive) {
  drives_.add(drive.name);
  Drive& function = model_.drives.emplace_back();
  std::visit([&](const auto& kind) { rt::build(kind, function); }, drive.function);
  std::visit([&](const auto& kind) { rt::build(kind, drive, *this); }, drive.target);
}

void ModelBuilder::addActuator(const ActuatorSpec& spec) {
  Actuator actuator = makeActuator(spec);
  std::visit([&](const auto& kind) { rt::build(kind, actuator, *this); }, spec.kind);
  actuator.group = groupOf(spec, model_.groups);
  model_.actuators.push_back(actuator);
  model_.actuator_names.push_back(spec.name);
  model_.actuator_descriptions.push_back(spec.description);
  // What is scaled has a unit of its own, which only the description knows.
  const auto* spring_input = std::get_if<SpringInputSpec>(&spec.kind);
  const bool follows = spec.unit.empty() && !(spring_input && spring_input->scale != 1);
  model_.actuator_units.push_back(follows ? std::nullopt : std::optional(spec.unit));
  std::visit(
      [&](const auto& kind) {
        if constexpr (requires { rt::connect(kind, 0, *this); })
          rt::connect(kind, static_cast<int>(model_.actuators.size()) - 1, *this);
      },
      spec.kind);
}

void ModelBuilder::addSensor(const SensorSpec& spec) {
  Sensor sensor{SensorKind::kJointAngle, 0, Vector3d::Zero(), Vector3d::Zero(), Frame::kWorld};
  std::visit([&](const auto& kind) { rt::build(kind, sensor, *this); }, spec.kind);
  model_.sensors.push_back(sensor);
  model_.sensor_names.push_back(spec.name);
  model_.sensor_descriptions.push_back(spec.description);
}

void ModelBuilder::addInitialConditions() {
  model_.initial_conditions.push_back(declaredState(spec_));
  for (const InitialConditionSpec& condition : spec_.initial_conditions) {
    InitialCondition state = model_.initial_conditions.front();
    state.name = condition.name;
    for (const BodyStateSpec& body : condition.bodies) {
      const auto i = static_cast<std::size_t>(bodies_.of(body.body));
      if (body.position) state.position[i] = *body.position;
      if (body.orientation) state.orientation[i] = unitVector(*body.orientation);
      if (body.velocity) state.velocity[i] = *body.velocity;
      if (body.angular_velocity) state.angular_velocity[i] = *body.angular_velocity;
    }
    model_.initial_conditions.push_back(std::move(state));
  }
}

}  // namespace tactus::rt
