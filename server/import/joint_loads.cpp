#include "server/import/joint_loads.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tactus::server {
namespace {

/// What a spring about or along a joint holds, over the coordinate of the joint.
struct JointSpring {
  double stiffness = 0, damping = 0, zero = 0;
  std::optional<rt::StopSpec> minimum_stop, maximum_stop;
};

bool slides(const MadeJoint& joint) {
  return joint.source->motion == JointMotion::kSlide;
}

/// How far behind point 2, along the axis, the other end of a spring on a sliding joint lies at coordinate 0: its
/// length must stay above zero, and pictures show it.
double leverOf(const MadeJoint& joint) {
  constexpr double kFarthestWithoutLimits = 100, kShortest = 0.02;  // m
  double farthest = std::max(std::abs(joint.start), std::abs(joint.source->spring_zero));
  for (const std::optional<double>& limit : {joint.source->lower, joint.source->upper})
    farthest = std::max(farthest, limit ? std::abs(*limit) : kFarthestWithoutLimits);
  return std::max(2.5 * farthest, kShortest);
}

/// Adds a spring; on a sliding joint it lies along the axis, and its length is the coordinate and leverOf().
/// @param zero_from_input  an actuator sets where the spring is without load
std::string addSpring(const MadeJoint& joint, JointSpring spring, bool zero_from_input, const std::string& wanted,
                      const SourcePlace& place, ImportedModel& model, TreeNames& names, ImportReport& report) {
  const std::string name = names.take(wanted, "_2", place, report);
  model.places["forces[" + std::to_string(model.spec.forces.size()) + ']'] = place;
  if (!slides(joint)) {
    rt::RotationalSpringSpec about{joint.name, spring.stiffness, spring.damping};
    if (!zero_from_input) about.free_angle = spring.zero;
    about.law.minimum_stop = spring.minimum_stop;
    about.law.maximum_stop = spring.maximum_stop;
    model.spec.forces.push_back({name, "", about});
    return name;
  }
  const double lever = leverOf(joint);
  rt::TranslationalSpringSpec along{joint.body_1,  joint.body_2,     joint.point_1 - lever * joint.axis_1,
                                    joint.point_2, spring.stiffness, spring.damping,
                                    std::nullopt};
  if (!zero_from_input && spring.stiffness > 0) along.free_length = lever + spring.zero;
  for (std::optional<rt::StopSpec>* stop : {&spring.minimum_stop, &spring.maximum_stop})
    if (*stop) (*stop)->position += lever;
  along.law.minimum_stop = spring.minimum_stop;
  along.law.maximum_stop = spring.maximum_stop;
  model.spec.forces.push_back({name, "", along});
  return name;
}

std::optional<rt::StopSpec> stopAt(const std::optional<double>& limit, double inertia) {
  if (!limit) return std::nullopt;
  return rt::StopSpec{*limit, inertia * kStopRate * kStopRate, 1, 2 * inertia * kStopRate};
}

}  // namespace

void addJointLoads(const MadeJoint& joint, ImportedModel& model, TreeNames& names, ImportReport& report) {
  const TreeJoint& source = *joint.source;
  const bool along = slides(joint);
  if (source.motion == JointMotion::kBall || source.motion == JointMotion::kPlane) {
    if (source.damping > 0 || source.stiffness > 0 || source.friction > 0 || source.lower || source.upper)
      report.dropped(source.place, LossEffect::kMotion,
                     "damping, stiffness, friction and limits of a joint with several freedoms");
    return;
  }
  if (source.damping > 0 || source.stiffness > 0 || source.lower || source.upper) {
    const JointSpring spring{source.stiffness, source.damping, source.spring_zero, stopAt(source.lower, joint.inertia),
                             stopAt(source.upper, joint.inertia)};
    addSpring(joint, spring, false, joint.name + "_spring", source.place, model, names, report);
    if (source.lower || source.upper)
      report.approximated(
          source.place, LossEffect::kMotion,
          fmt::format("limits are stops that yield, of {:.4g} {} and {:.4g} {}", joint.inertia * kStopRate * kStopRate,
                      along ? "N/m" : "N m/rad", 2 * joint.inertia * kStopRate, along ? "N s/m" : "N m s/rad"));
  }
  if (source.friction > 0) {
    const double elastic = source.friction / (joint.inertia * kStickRate * kStickRate);
    model.places["forces[" + std::to_string(model.spec.forces.size()) + ']'] = source.place;
    model.spec.forces.push_back({names.take(joint.name + "_friction", "_2", source.place, report), "",
                                 rt::JointFrictionSpec{joint.name, source.friction, elastic, along}});
    report.approximated(
        source.place, LossEffect::kMotion,
        fmt::format("friction sticks elastically up to {:.3g} {} before it slides", elastic, along ? "m" : "rad"));
  }
}

void addActuator(const TreeActuator& actuator, const MadeJoint& joint, ImportedModel& model, TreeNames& names,
                 ImportReport& report) {
  const JointMotion motion = joint.source->motion;
  if (motion == JointMotion::kBall || motion == JointMotion::kPlane)
    return report.dropped(actuator.place, LossEffect::kMotion, "an actuator of a joint with several freedoms");
  const bool along = slides(joint);
  rt::ActuatorSpec made;
  made.name = names.take(actuator.name, along ? "_force" : "_torque", actuator.place, report);
  made.minimum = actuator.minimum;
  made.maximum = actuator.maximum;
  made.initial = actuator.initial;
  const double low = actuator.minimum.value_or(actuator.initial), high = actuator.maximum.value_or(actuator.initial);
  if (low <= high) made.initial = std::clamp(made.initial, low, high);

  const double gain = actuator.gear * actuator.gain;  // of the load
  JointSpring spring;
  spring.stiffness = actuator.stiffness * actuator.gear * actuator.gear;
  spring.damping = actuator.damping * actuator.gear * actuator.gear;
  if (!along && gain == 1 && spring.stiffness == 0 && spring.damping == 0) {
    made.kind = rt::JointTorqueSpec{joint.name};
  } else {
    // A servo moves the end of its spring; any other input is a load between the two bodies. A tension draws body 2
    // back.
    const bool is_servo = spring.stiffness > 0;
    const std::string name =
        addSpring(joint, spring, is_servo, made.name + "_spring", actuator.place, model, names, report);
    rt::SpringInputSpec input;
    input.spring = name;
    input.quantity = is_servo ? rt::SpringQuantity::kFreeLength : rt::SpringQuantity::kPreload;
    input.scale = is_servo ? gain / spring.stiffness : -gain;
    input.offset = is_servo && along ? leverOf(joint) : 0;
    made.kind = input;
    made.unit = is_servo || gain != 1 ? "1" : along ? "N" : "N m";
  }
  model.places["actuators[" + std::to_string(model.spec.actuators.size()) + ']'] = actuator.place;
  model.spec.actuators.push_back(std::move(made));
}

}  // namespace tactus::server
