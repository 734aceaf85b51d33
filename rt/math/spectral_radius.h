// The spectral radius of a 3 x 3 matrix.
#pragma once

#include <Eigen/Core>

namespace tactus::rt {

/// Largest modulus of an eigenvalue, from the roots of the characteristic polynomial in closed form.
/// @source Cardano's formulas, with the root of larger modulus first, so that nothing cancels
double spectralRadius3(const Eigen::Matrix3d& m) noexcept;

}  // namespace tactus::rt
