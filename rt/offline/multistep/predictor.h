// Predictions of a rate from values and rates at earlier times.
#pragma once

#include "rt/offline/core/motion_point.h"

namespace tactus::rt::offline {

/// A value and its rate at a time.
struct RatePoint {
  double t;
  VectorXd value, rate;
};

/// The value at time t from the last two points, exact for cubics.
VectorXd predictValue(double t, const RatePoint& last, const RatePoint& before);

/// The rate at time t from the last two points, exact for cubics; times may fall. Returns the last rate if a weight
/// exceeds 50: the points are then too close together for the step.
/// @param[in] last, before  the latest point and the one before it
/// @source [MSE] Eqs. (12), (14), with two signs that are missing in print
VectorXd predictSecondOrder(double t, const RatePoint& last, const RatePoint& before);

/// The rate at time t from the last three points, exact for quintics. Returns the second-order prediction if a weight
/// exceeds 50.
/// @source [MSE] Eqs. (16), (17)
VectorXd predictFourthOrder(double t, const RatePoint& last, const RatePoint& before, const RatePoint& first);

}  // namespace tactus::rt::offline
