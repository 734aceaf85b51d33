// What experiments and tests read from the samples of an offline run.
#pragma once

#include "rt/model/model.h"
#include "rt/offline/core/trajectory.h"
#include "rt/state/state.h"

#include <cmath>
#include <vector>

namespace tactus::tests {

inline rt::StateView viewOf(const rt::Model& model, const rt::offline::Sample& sample) {
  return {rt::StateLayout(model), sample.state.data()};
}

/// interval, 2 interval, ... up to `until`, s.
inline std::vector<double> grid(double interval, double until) {
  std::vector<double> times;
  for (long long k = 1; k <= std::llround(until / interval); ++k) times.push_back(static_cast<double>(k) * interval);
  return times;
}

/// The force of the ground on a mechanism whose only loads from outside are gravity and that force, N: Newton's law of
/// all bodies, each of which accelerates beyond gravity.
inline rt::Vector3d groundForce(const rt::Model& model, const rt::offline::Sample& sample) {
  rt::Vector3d force = rt::Vector3d::Zero();
  const rt::StateView s = viewOf(model, sample);
  for (int i = 0; i < model.bodyCount(); ++i)
    force += model.bodies[static_cast<std::size_t>(i)].mass * (s.a(i) - model.gravity);
  return force;
}

}  // namespace tactus::tests
