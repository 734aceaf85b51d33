// Angles about an axis, and how they count full turns.
#pragma once

#include "rt/math/lane_functions.h"

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <cmath>
#include <numbers>

namespace tactus::rt {

/// The sine and the cosine of the angle from x to y about an axis normal to both, times |x| |y|.
struct SineAndCosine {
  SineAndCosine(const Eigen::Vector3d& axis, const Eigen::Vector3d& x, const Eigen::Vector3d& y) noexcept
      : sine(axis.dot(x.cross(y))), cosine(x.dot(y)) {}

  double sine, cosine;
};

/// Angle from x to y about an axis normal to both, in (-pi, pi]. The same bits as in lanes.
inline double angleAbout(const Eigen::Vector3d& axis, const Eigen::Vector3d& x, const Eigen::Vector3d& y) noexcept {
  const SineAndCosine of(axis, x, y);
  return atan2(Lanes<4>(of.sine), Lanes<4>(of.cosine))[0];
}

/// The value nearest to `previous` that equals `angle` up to full turns.
inline double unwrapAngle(double angle, double previous) noexcept {
  constexpr double kTurn = 2 * std::numbers::pi;
  return angle + kTurn * std::nearbyint((previous - angle) / kTurn);
}

}  // namespace tactus::rt
