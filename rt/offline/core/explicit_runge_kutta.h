// One step of an explicit Runge-Kutta method in minimal coordinates.
#pragma once

#include "rt/offline/core/minimal_coordinates.h"
#include "rt/offline/core/runge_kutta_tables.h"

namespace tactus::rt::offline {

struct RungeKuttaStep {
  MotionPoint end;  ///< without multipliers
  VectorXd s;       ///< free coordinates at the end; they begin at 0
  /// Embedded solution minus solution: of s, of its rates and of the internal states. Empty without an embedded one.
  VectorXd position_error, rate_error, internal_error;
};

/// One step of h seconds from a point, in the minimal coordinates around it.
/// @throws NoConvergence if the constraints cannot be closed at a stage
RungeKuttaStep rungeKuttaStep(const ExplicitRungeKutta& method, const MotionPoint& from,
                              const MinimalCoordinates& coordinates, double h, Statistics& statistics);

}  // namespace tactus::rt::offline
