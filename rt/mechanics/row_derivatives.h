// Derivatives of the constraint rows beyond their Jacobian: what an implicit method needs of H^T lambda, and of the
// rows at velocity and acceleration level. Exact for every primitive; for an angle where its two axes are parallel, as
// its joint keeps them.
//
// The twelve columns are (dr_1, dphi_1, dr_2, dphi_2) of the primitive's two bodies, or their velocities (v, omega_w);
// the columns of ground are zero. A derivative by position holds v, omega_w, a and alpha_w fixed, in world axes.
#pragma once

#include "rt/mechanics/kinematics.h"
#include "rt/model/primitive.h"

namespace tactus::rt {

using Matrix12d = Eigen::Matrix<double, 12, 12>;
using Row12d = Eigen::Matrix<double, 1, 12>;

/// Rows of one primitive at velocity level, H (v, omega_w), and at acceleration level, H (a, alpha_w) - gamma; only the
/// first rowsOf(kind) rows are set.
struct RowDerivatives {
  using Rows = Eigen::Matrix<double, kMaxPrimitiveRows, 12>;
  Rows rate_by_position = Rows::Zero();
  Rows second_rate_by_position = Rows::Zero();
  Rows second_rate_by_velocity = Rows::Zero();
};

/// Reads all of the motions of the two bodies.
/// @source derived: each row is a product of two vectors that move with the bodies, a sum of two, a length or an angle
RowDerivatives differentiateRows(const Primitive& primitive, const BodyMotion* motions) noexcept;

/// Derivative of H^T lambda of one primitive by position. Not symmetric: rotations do not commute. Reads r and R.
/// @param[in] lambda  multipliers of the primitive's rows
Matrix12d differentiateReaction(const Primitive& primitive, const BodyMotion* motions, const double* lambda) noexcept;

}  // namespace tactus::rt
