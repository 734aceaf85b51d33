#include "rt/model/model.h"

#include "rt/model/check_model.h"
#include "rt/model/directions.h"
#include "rt/model/drive_builder.h"
#include "rt/model/joint_builder.h"
#include "rt/model/model_hash.h"
#include "rt/model/road_envelope.h"
#include "rt/model/vehicle_builder.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace tactus::rt {
namespace {

/// Index of every body or joint by its name.
class NameIndex {
 public:
  explicit NameIndex(const std::vector<std::string>& names) {
    for (std::size_t i = 0; i < names.size(); ++i) index_.emplace(names[i], static_cast<int>(i));
  }
  /// The name exists, or is the ground: checkModel() has seen to that.
  int of(const std::string& name) const { return name == kGroundName ? kGround : index_.at(name); }

 private:
  std::unordered_map<std::string, int> index_;
};

template <typename Spec>
void copyNames(const std::vector<Spec>& specs, std::vector<std::string>& names,
               std::vector<std::string>& descriptions) {
  for (const Spec& spec : specs) {
    names.push_back(spec.name);
    descriptions.push_back(spec.description);
  }
}

/// Tyres with slip, friction, powertrains: loads, no rows. @returns false if the element is none of these
bool addVehicleForce(const ForceSpec& force, const NameIndex& bodies, const NameIndex& joints, const NameIndex& roads,
                     Model& model) {
  if (const auto* tyre = std::get_if<SlipTyreSpec>(&force.kind)) {
    model.slip_tyres.push_back(makeSlipTyre(*tyre, roads.of(tyre->road), bodies.of(tyre->body), model));
    model.slip_tyre_names.push_back(force.name);
  } else if (const auto* friction = std::get_if<JointFrictionSpec>(&force.kind)) {
    model.frictions.push_back(makeFriction(*friction, joints.of(friction->joint), model));
    model.friction_names.push_back(force.name);
  } else if (const auto* brake = std::get_if<BrakeSpec>(&force.kind)) {
    model.frictions.push_back(makeBrake(*brake, joints.of(brake->joint), model));
    model.friction_names.push_back(force.name);
  } else if (const auto* powertrain = std::get_if<PowertrainSpec>(&force.kind)) {
    std::vector<int> driven;
    for (const std::string& joint : powertrain->joints) driven.push_back(joints.of(joint));
    model.powertrains.push_back(makePowertrain(*powertrain, bodies.of(powertrain->carrier), driven));
    model.powertrain_names.push_back(force.name);
  } else {
    return false;
  }
  return true;
}

/// Tells brakes and powertrains which actuators feed them.
void connectControls(const ModelSpec& spec, Model& model) {
  const NameIndex frictions(model.friction_names), powertrains(model.powertrain_names);
  for (std::size_t a = 0; a < spec.actuators.size(); ++a) {
    const auto* control = std::get_if<ControlSpec>(&spec.actuators[a].kind);
    if (control == nullptr) continue;
    const auto powertrain = [&](const std::string& name) -> Powertrain& {
      return model.powertrains[static_cast<std::size_t>(powertrains.of(name))];
    };
    for (const std::string& name : control->elements) switch (control->quantity) {
        case ControlQuantity::kBrake:
          model.frictions[static_cast<std::size_t>(frictions.of(name))].actuators.push_back(static_cast<int>(a));
          break;
        case ControlQuantity::kThrottle: powertrain(name).throttle.push_back(static_cast<int>(a)); break;
        case ControlQuantity::kRatio: powertrain(name).ratio.push_back(static_cast<int>(a)); break;
      }
  }
}

/// A drag, an anti-roll bar or the air. @returns false if the element is none of these
bool addBodyLoad(const ForceSpec& force, const NameIndex& bodies, const NameIndex& joints, Model& model) {
  if (const auto* drag = std::get_if<BodyDragSpec>(&force.kind)) {
    model.drags.push_back({bodies.of(drag->body), drag->linear, drag->angular});
  } else if (const auto* bar = std::get_if<AntiRollBarSpec>(&force.kind)) {
    const int one = joints.of(bar->joint_1), two = joints.of(bar->joint_2);
    const auto angle = [&model](int joint) { return model.joints[static_cast<std::size_t>(joint)].initial_angle; };
    model.anti_roll_bars.push_back({one, two, bar->stiffness, bar->damping, bar->ratio,
                                    bar->free_twist.value_or(angle(one) - bar->ratio * angle(two))});
  } else if (const auto* air = std::get_if<AirLoadSpec>(&force.kind)) {
    const double half = 0.5 * air->density * air->area;
    const auto along = [](double coefficient, const Vector3d& direction) {
      return coefficient == 0 ? Vector3d(Vector3d::Zero()) : unitVector(direction);
    };
    model.air_loads.push_back({bodies.of(air->body), air->point, along(air->lift, air->up), air->wind, half * air->drag,
                               half * air->lift, half * air->side, along(air->side, air->across)});
  } else {
    return false;
  }
  return true;
}

void addJoints(const ModelSpec& spec, const NameIndex& bodies, Model& model) {
  std::vector<DeclaredPose> poses(spec.bodies.begin(), spec.bodies.end());
  const DeclaredPose ground;
  const auto pose = [&](int body) -> const DeclaredPose& {
    return body == kGround ? ground : poses[static_cast<std::size_t>(body)];
  };
  const NameIndex joints(model.joint_names);
  for (const JointSpec& joint : spec.joints) {
    if (const auto* coupler = std::get_if<CouplerSpec>(&joint.kind)) {
      std::vector<int> targets;
      for (const CoupledCoordinateSpec& c : coupler->coordinates) targets.push_back(joints.of(c.joint));
      appendCoupler(*coupler, targets, poses, model);
      continue;
    }
    const int body_1 = bodies.of(joint.body_1);
    const int body_2 = bodies.of(joint.body_2);
    appendJoint(joint, body_1, body_2, pose(body_1), pose(body_2), model);
  }

  // Force elements and drives are rows, too; a load on one body is none.
  std::vector<std::string> road_names;
  for (const RoadSpec& road : spec.roads) {
    road_names.push_back(road.name);
    model.roads.push_back(makeRoad(road));
  }
  const NameIndex roads(road_names);
  const auto addName = [&model](const auto& element) {
    model.joint_names.push_back(element.name);
    model.joint_descriptions.push_back(element.description);
  };
  for (const ForceSpec& force : spec.forces) {
    if (const auto* spring = std::get_if<TranslationalSpringSpec>(&force.kind)) {
      const int body_1 = bodies.of(spring->body_1), body_2 = bodies.of(spring->body_2);
      appendSpring(*spring, body_1, body_2, pose(body_1), pose(body_2), model);
    } else if (const auto* torsion = std::get_if<RotationalSpringSpec>(&force.kind)) {
      appendSpring(*torsion, joints.of(torsion->joint), model);
    } else if (const auto* bushing = std::get_if<BushingSpec>(&force.kind)) {
      const int body_1 = bodies.of(bushing->body_1), body_2 = bodies.of(bushing->body_2);
      appendBushing(*bushing, body_1, body_2, pose(body_1), pose(body_2), model);
    } else if (const auto* tyre = std::get_if<VerticalTyreSpec>(&force.kind)) {
      model.tyres.push_back(
          {roads.of(tyre->road), bodies.of(tyre->body), tyre->centre, tyre->radius, tyre->stiffness, tyre->damping});
      model.tyres.back().envelope = takeEnvelope(model.tyres.back().road, tyre->radius, model);
      appendTyre(static_cast<int>(model.tyres.size()) - 1, model);
    } else if (addBodyLoad(force, bodies, joints, model) || addVehicleForce(force, bodies, joints, roads, model)) {
      continue;
    }
    addName(force);
  }
  for (const DriveSpec& drive : spec.drives) {
    const int index = static_cast<int>(model.drives.size());
    model.drives.push_back(makeDrive(drive));
    if (const auto* angle = std::get_if<DrivenAngleSpec>(&drive.target)) {
      appendDrivenAngle(joints.of(angle->joint), index, model);
    } else if (const auto* distance = std::get_if<DrivenDistanceSpec>(&drive.target)) {
      appendDrivenDistance(*distance, bodies.of(distance->body_1), bodies.of(distance->body_2), index, model);
    } else if (const auto* travel = std::get_if<DrivenTravelSpec>(&drive.target)) {
      appendDrivenTravel(joints.of(travel->joint), index, model);
    }
    addName(drive);
  }
}

/// @param rows  joints, force elements with rows and drives
Actuator makeActuator(const ActuatorSpec& spec, const NameIndex& bodies, const NameIndex& rows,
                      const NameIndex& drives) {
  Actuator actuator{ActuatorKind::kJointTorque, 0, Vector3d::Zero(), Vector3d::Zero(), Frame::kWorld};
  if (const auto* torque = std::get_if<JointTorqueSpec>(&spec.kind)) {
    actuator.target = rows.of(torque->joint);
  } else if (const auto* force = std::get_if<BodyForceSpec>(&spec.kind)) {
    actuator.kind = ActuatorKind::kBodyForce;
    actuator.target = bodies.of(force->body);
    actuator.point = force->point;
    actuator.direction = unitVector(force->direction);
    actuator.frame = force->frame;
  } else if (const auto* moment = std::get_if<BodyTorqueSpec>(&spec.kind)) {
    actuator.kind = ActuatorKind::kBodyTorque;
    actuator.target = bodies.of(moment->body);
    actuator.direction = unitVector(moment->direction);
    actuator.frame = moment->frame;
  } else if (const auto* drive = std::get_if<DriveInputSpec>(&spec.kind)) {
    actuator.kind = ActuatorKind::kDriveInput;
    actuator.target = drives.of(drive->drive);
    actuator.order = static_cast<int>(drive->quantity);
  } else if (const auto* control = std::get_if<ControlSpec>(&spec.kind)) {
    actuator.kind = ActuatorKind::kControl;
    actuator.target = -1;
    actuator.order = static_cast<int>(control->quantity);
  } else if (const auto* input = std::get_if<SpringInputSpec>(&spec.kind)) {
    actuator.kind = ActuatorKind::kSpringInput;
    actuator.target = rows.of(input->spring);
    actuator.order = static_cast<int>(input->quantity);
  }
  actuator.minimum = spec.minimum.value_or(actuator.minimum);
  actuator.maximum = spec.maximum.value_or(actuator.maximum);
  actuator.initial = spec.initial;

  const bool zero_in_range = actuator.minimum <= 0 && actuator.maximum >= 0;
  actuator.safe = spec.safe.value_or(zero_in_range ? 0 : spec.initial);
  actuator.on_loss = spec.on_loss;
  for (LossAction* action : {&actuator.on_loss.action, &actuator.on_loss.then})
    if (*action == LossAction::kDefault) *action = spec.safe ? LossAction::kRamp : LossAction::kHold;
  return actuator;
}

/// Tells the drive or spring that an actuator feeds of it.
void connect(int index, const ActuatorSpec& spec, Model& model) {
  const Actuator& actuator = model.actuators[static_cast<std::size_t>(index)];
  const auto target = static_cast<std::size_t>(actuator.target);
  if (actuator.kind == ActuatorKind::kDriveInput) model.drives[target].actuator[actuator.order] = index;
  if (actuator.kind != ActuatorKind::kSpringInput) return;
  const auto& input = std::get<SpringInputSpec>(spec.kind);
  const Scaling scaling{input.offset, input.scale};
  CompliantLaw& law = model.compliant_laws[static_cast<std::size_t>(model.joints[target].law_index)];
  if (input.axis > 0) {
    const auto row =
        static_cast<std::size_t>(std::find(law.axes.begin(), law.axes.end(), input.axis - 1) - law.axes.begin());
    law.preload_of_row[row] = {index, scaling};
    law.has_input = true;
    return;
  }
  if (actuator.order == static_cast<int>(SpringQuantity::kPreload)) {
    law.preload_input = index;
    law.preload_of_input = scaling;
  } else {
    law.free_input = index;
    law.free_of_input = scaling;
    model.springs_with_input.push_back(actuator.target);
  }
}

SensorKind kindOf(PointQuantity quantity) noexcept {
  switch (quantity) {
    case PointQuantity::kPosition: return SensorKind::kPointPosition;
    case PointQuantity::kVelocity: return SensorKind::kPointVelocity;
    case PointQuantity::kAcceleration: return SensorKind::kPointAcceleration;
  }
  return SensorKind::kPointPosition;
}

/// @param rows  joints, force elements with rows and drives
Sensor makeSensor(const SensorSpec& spec, const NameIndex& bodies, const NameIndex& rows) {
  Sensor sensor{SensorKind::kJointAngle, 0, Vector3d::Zero(), Vector3d::Zero(), Frame::kWorld};
  if (const auto* angle = std::get_if<JointAngleSpec>(&spec.kind)) {
    sensor.target = rows.of(angle->joint);
  } else if (const auto* rate = std::get_if<JointRateSpec>(&spec.kind)) {
    sensor.kind = SensorKind::kJointRate;
    sensor.target = rows.of(rate->joint);
  } else if (const auto* motion = std::get_if<PointMotionSpec>(&spec.kind)) {
    sensor.kind = kindOf(motion->quantity);
    sensor.target = bodies.of(motion->body);
    sensor.point = motion->point;
    sensor.direction = unitVector(motion->direction);
    sensor.frame = motion->frame;
  } else if (const auto* spin = std::get_if<AngularVelocitySpec>(&spec.kind)) {
    sensor.kind = SensorKind::kAngularVelocity;
    sensor.target = bodies.of(spin->body);
    sensor.direction = unitVector(spin->direction);
    sensor.frame = spin->frame;
  } else if (const auto* force = std::get_if<ForceValueSpec>(&spec.kind)) {
    sensor.kind = SensorKind::kForceValue;
    sensor.target = rows.of(force->force);
  } else if (const auto* travel = std::get_if<JointTravelSpec>(&spec.kind)) {
    sensor.kind = travel->rate ? SensorKind::kJointTravelRate : SensorKind::kJointTravel;
    sensor.target = rows.of(travel->joint);
  } else if (const auto* reaction = std::get_if<JointReactionSpec>(&spec.kind)) {
    sensor.kind = reaction->torque ? SensorKind::kReactionTorque : SensorKind::kReactionForce;
    sensor.target = rows.of(reaction->joint);
    sensor.direction = unitVector(reaction->direction);
    sensor.frame = reaction->frame;
  } else if (const auto* felt = std::get_if<SpecificForceSpec>(&spec.kind)) {
    sensor.kind = SensorKind::kSpecificForce;
    sensor.target = bodies.of(felt->body);
    sensor.point = felt->point;
    sensor.direction = unitVector(felt->direction);
    sensor.frame = felt->frame;
  }
  return sensor;
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

void addInitialConditions(const ModelSpec& spec, const NameIndex& bodies, Model& model) {
  model.initial_conditions.push_back(declaredState(spec));
  for (const InitialConditionSpec& condition : spec.initial_conditions) {
    InitialCondition state = model.initial_conditions.front();
    state.name = condition.name;
    for (const BodyStateSpec& body : condition.bodies) {
      const auto i = static_cast<std::size_t>(bodies.of(body.body));
      if (body.position) state.position[i] = *body.position;
      if (body.orientation) state.orientation[i] = unitVector(*body.orientation);
      if (body.velocity) state.velocity[i] = *body.velocity;
      if (body.angular_velocity) state.angular_velocity[i] = *body.angular_velocity;
    }
    model.initial_conditions.push_back(std::move(state));
  }
}

/// Index of the group of an actuator; a new one is added.
int groupOf(const ActuatorSpec& actuator, std::vector<std::string>& groups) {
  const std::string name = actuator.group.empty() ? kDefaultGroup : actuator.group;
  const auto found = std::find(groups.begin(), groups.end(), name);
  const auto index = static_cast<int>(found - groups.begin());
  if (found == groups.end()) groups.push_back(name);
  return index;
}

/// Mean distance of the joint points from the mass centres of their bodies; 1 m if no body has one.
double typicalLength(const Model& model) {
  double sum = 0;
  int count = 0;
  const auto add = [&](int body, const Vector3d& point) {
    if (body == kGround) return;
    sum += point.norm();
    ++count;
  };
  for (const Joint& joint : model.joints) {
    if (joint.kind == JointKind::kDot1 || joint.kind == JointKind::kCoupler) continue;
    add(joint.body_1, joint.point_1);
    add(joint.body_2, joint.point_2);
  }
  return count == 0 ? 1.0 : std::max(sum / count, 1e-6);
}

}  // namespace

Model buildModel(const ModelSpec& spec) {
  std::vector<Finding> findings = checkModel(spec);
  std::erase_if(findings, [](const Finding& f) { return f.severity != Severity::kError; });
  if (!findings.empty()) throw ModelError(std::move(findings));

  Model model;
  model.name = spec.name;
  model.description = spec.description;
  model.gravity = *spec.gravity;
  model.assembly = spec.assembly;
  model.solver = spec.solver;
  copyNames(spec.bodies, model.body_names, model.body_descriptions);
  copyNames(spec.joints, model.joint_names, model.joint_descriptions);
  copyNames(spec.actuators, model.actuator_names, model.actuator_descriptions);
  copyNames(spec.sensors, model.sensor_names, model.sensor_descriptions);

  // Names become indices.
  const NameIndex bodies(model.body_names);
  for (const BodySpec& body : spec.bodies) model.bodies.push_back({body.mass, body.inertia});
  addJoints(spec, bodies, model);
  std::vector<std::string> drive_names;
  for (const DriveSpec& drive : spec.drives) drive_names.push_back(drive.name);
  const NameIndex drives(drive_names);
  const NameIndex rows(model.joint_names);
  for (const ActuatorSpec& actuator : spec.actuators) {
    model.actuators.push_back(makeActuator(actuator, bodies, rows, drives));
    model.actuators.back().group = groupOf(actuator, model.groups);
    connect(static_cast<int>(model.actuators.size()) - 1, actuator, model);
  }
  connectControls(spec, model);
  if (model.groups.empty()) model.groups.push_back(kDefaultGroup);
  for (const SensorSpec& sensor : spec.sensors) model.sensors.push_back(makeSensor(sensor, bodies, rows));
  addInitialConditions(spec, bodies, model);
  for (const ParameterSpec& p : spec.parameters)
    model.parameters.push_back({p.name, p.description, p.unit, p.value.value_or(0), p.minimum, p.maximum, p.targets});

  // What follows from all of it.
  model.length = typicalLength(model);
  model.hash = hashModel(model);
  return model;
}

int findInitialCondition(const Model& model, const std::string& name) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < model.initial_conditions.size(); ++i) {
    if (model.initial_conditions[i].name == name) return static_cast<int>(i);
    if (i > 0) known.push_back(model.initial_conditions[i].name);
  }
  const std::string nearest = nearestName(name, known);
  throw Error("the model has no initial condition \"" + name + '"' +
              (nearest.empty() ? "" : " (did you mean \"" + nearest + "\"?)"));
}

}  // namespace tactus::rt
