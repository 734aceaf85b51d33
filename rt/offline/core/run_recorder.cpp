#include "rt/offline/core/run_recorder.h"

#include "rt/mechanics/elements/spring.h"
#include "rt/mechanics/energy.h"
#include "rt/model/model.h"
#include "rt/offline/core/equations_of_motion.h"

#include <algorithm>
#include <cmath>

namespace tactus::rt::offline {

RunRecorder::RunRecorder(const EquationsOfMotion& equations, const State& start, Trajectory& trajectory)
    : equations_(equations), state_(start), trajectory_(trajectory) {
  trajectory_.energy_start = energyOf(equations.model(), start.view()).total;
  take(equations.pointOf(start, 0), true);
}

void RunRecorder::take(const MotionPoint& point, bool keep) {
  const Model& model = equations_.model();
  const std::vector<double> input = equations_.inputAt(point.t);
  const State before = state_;
  equations_.writeMotion(point, state_);
  const double half = 0.5 * (point.t - t_);
  state_.workInput() += half * (before.view().powerInput() + state_.powerInput());
  state_.workDissipated() += half * (before.view().powerDissipated() + state_.powerDissipated());
  t_ = point.t;
  std::copy(input.begin(), input.end(), state_.input());
  state_.workInput() += freeLengthWork(model, before.view(), state_.view());

  const Sparse H = equations_.jacobian(point);
  Sample sample;
  sample.position_violation = equations_.constraints(point).norm();
  sample.velocity_violation = (H * point.velocity - equations_.rowRates(point.t)).norm();
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
