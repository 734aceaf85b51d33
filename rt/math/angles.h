// Angles about an axis, and how they count full turns.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <cmath>
#include <numbers>

namespace tactus::rt {

/// Angle from x to y about an axis normal to both, in (-pi, pi].
inline double angleAbout(const Eigen::Vector3d& axis, const Eigen::Vector3d& x, const Eigen::Vector3d& y) noexcept {
  return std::atan2(axis.dot(x.cross(y)), x.dot(y));
}

/// The value nearest to `previous` that equals `angle` up to full turns.
inline double unwrapAngle(double angle, double previous) noexcept {
  constexpr double kTurn = 2 * std::numbers::pi;
  return angle + kTurn * std::nearbyint((previous - angle) / kTurn);
}

}  // namespace tactus::rt
