// Cholesky factors A = L L^T of symmetric, positive definite matrices. Eigen's factorizations are compiled here and
// nowhere else in the library: each instance costs seconds of a build.
#pragma once

#include <Eigen/Core>

namespace tactus::rt {

/// L. Reads the lower triangle.
/// @rt no allocation, no throw, fixed work
Eigen::Matrix3d choleskyFactor3(const Eigen::Matrix3d& A) noexcept;

/// X with A X = B. Reads the lower triangle of A.
/// @rt no allocation, no throw, fixed work
Eigen::Matrix3d choleskySolve3(const Eigen::Matrix3d& A, const Eigen::Matrix3d& B) noexcept;

/// L of a matrix of any size. Reads the lower triangle.
Eigen::MatrixXd choleskyFactor(const Eigen::MatrixXd& A);

}  // namespace tactus::rt
