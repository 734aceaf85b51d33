// The limit of the geometric stiffness, which keeps the tangent of a body positive definite.
#pragma once

#include "rt/math/euler_parameters.h"

namespace tactus::rt {

/// Lowest generalized eigenvalue of the scaled geometric stiffness against the inertia.
inline constexpr double kStiffnessLimit = -0.5;

/// J + K with K limited: with J = L L^T and L^-1 K L^-T = Q diag(k) Q^T, each k is raised to the limit.
/// @rt no allocation, no throw, bounded work
/// @source derived; rt/doc/ali3p.md section 2
Matrix3d limitedSum(const Matrix3d& J, const Matrix3d& K) noexcept;

}  // namespace tactus::rt
