// One constraint row: its Jacobian for two bodies, and its value at velocity and acceleration level.
//
// Six columns for each body: translation and rotation increments (dr, dphi), both in world axes, so that d(R s) =
// dphi x (R s). Multipliers enter as M a + H^T lambda = Q; on a point row, lambda is the force on body 2.
#pragma once

#include "rt/math/six.h"

#include <Eigen/Core>

namespace tactus::rt {

/// Jacobian of one row: h[side][0..2] translation, h[side][3..5] rotation.
struct RowJacobian {
  double h[2][6];
};

/// The Jacobian of one row for one body, for any scalar: double, or Lanes.
template <class T>
struct SideOfRow {
  Eigen::Matrix<T, 3, 1> translation, rotation;
};

/// Value of a row at the velocity or acceleration level: H (v, omega_w) or H (a, alpha_w), from the motions of its
/// bodies.
inline double rowTimes(const RowJacobian& row, const Six& body_1, const Six& body_2) noexcept {
  return dots(Six::load(row.h[0]), body_1, Six::load(row.h[1]), body_2);
}

}  // namespace tactus::rt
