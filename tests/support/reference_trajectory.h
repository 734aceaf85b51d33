// Trajectories of a DenseMechanism by an adaptive explicit Runge-Kutta method: a reference that has nothing in common
// with ALi3p but the mechanism.
#pragma once

#include "tests/support/dense_mechanism.h"

#include <vector>

namespace tactus::tests {

struct ReferenceTrajectory {
  std::vector<double> t;
  std::vector<MotionState> states;
  std::vector<VectorXd> lambda;  ///< in the order of the mechanism's rows
};

/// Integrates from the declared state with Dormand-Prince 5(4), and projects positions and velocities after each step.
///
/// @param times      sample times, ascending from 0, s; steps end on them
/// @param tolerance  local error of a step, relative to 1 + |y|
/// @throws std::runtime_error if the step falls below 1e-9 s
ReferenceTrajectory integrate(const DenseMechanism& mechanism, const std::vector<double>& times,
                              double tolerance = 1e-11);

}  // namespace tactus::tests
