#include "rt/offline/trajectory.h"

#include "rt/mechanics/actuators.h"
#include "rt/mechanics/energy.h"
#include "rt/mechanics/joint_constraints.h"

#include <algorithm>
#include <cmath>

namespace tactus::rt::offline {

Recorder::Recorder(const EquationsOfMotion& equations, const State& start, Trajectory& trajectory)
    : equations_(equations), state_(start), trajectory_(trajectory) {
  trajectory_.energy_start = energyOf(equations.model(), start.view()).total;
  take(motionPointOf(start, 0), true);
}

void Recorder::take(const MotionPoint& point, bool keep) {
  const Model& model = equations_.model();
  const std::vector<double> input = equations_.inputAt(point.t);
  writeMotion(point, state_);
  std::vector<BodyMotion> motions;
  for (int i = 0; i < model.bodyCount(); ++i) motions.push_back(bodyMotion(state_.view(), i));
  for (const Joint& joint : model.joints)
    if (joint.coordinate >= 0)
      state_.coordinate()[joint.coordinate] =
          unwrapAngle(jointAngle(joint, motions.data()), state_.coordinate()[joint.coordinate]);
  const double power = actuatorPower(model, input, motions.data());
  state_.workInput() += 0.5 * (point.t - t_) * (state_.powerInput() + power);
  state_.powerInput() = power;
  t_ = point.t;
  std::copy(input.begin(), input.end(), state_.input());

  const Sparse H = equations_.jacobian(point);
  Sample sample;
  sample.position_violation = equations_.constraints(point).norm();
  sample.velocity_violation = (H * point.velocity).norm();
  sample.acceleration_violation = (H * point.acceleration - equations_.gamma(point)).norm();
  Trajectory& all = trajectory_;
  all.worst_position = std::max(all.worst_position, sample.position_violation);
  all.worst_velocity = std::max(all.worst_velocity, sample.velocity_violation);
  all.worst_acceleration = std::max(all.worst_acceleration, sample.acceleration_violation);
  all.energy_end = energyOf(model, state_.view()).total;
  all.energy_drift = std::max(all.energy_drift, std::abs(all.energy_end - all.energy_start));
  if (!keep) return;
  sample.t = point.t;
  sample.state = state_.values();
  sample.inputs = input;
  all.samples.push_back(std::move(sample));
}

}  // namespace tactus::rt::offline
