// Directions as the Model keeps them: of unit length, and the same bits when normalized again.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <cmath>

namespace tactus::rt {

/// Below this length a direction counts as zero.
inline constexpr double kShortestDirection = 1e-12;

/// `v` at unit length. Neither overflows nor underflows; leaves a vector alone that is unit up to rounding.
/// @param v not zero
template <typename Vector>
Vector unitVector(const Vector& v) noexcept {
  if (std::abs(v.squaredNorm() - 1) <= 1e-15) return v;
  const Vector scaled = v / v.cwiseAbs().maxCoeff();
  return scaled / scaled.norm();
}

/// A unit vector perpendicular to the unit vector `axis`: the projection of the world or body axis most across it.
inline Eigen::Vector3d perpendicularTo(const Eigen::Vector3d& axis) noexcept {
  Eigen::Index most_across = 0;
  axis.cwiseAbs().minCoeff(&most_across);
  const Eigen::Vector3d e = Eigen::Vector3d::Unit(most_across);
  return unitVector<Eigen::Vector3d>(e - axis.dot(e) * axis);
}

}  // namespace tactus::rt
