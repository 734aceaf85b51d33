// Eigenvalues and eigenvectors of symmetric matrices. Eigen's solvers are compiled here and nowhere else: each
// instance costs seconds of a build.
#pragma once

#include <Eigen/Core>

namespace tactus::rt {

struct SymmetricEigen3 {
  Eigen::Vector3d values;   ///< rising
  Eigen::Matrix3d vectors;  ///< in columns, of length one
};

/// By iteration: to round-off. Reads the lower triangle.
SymmetricEigen3 symmetricEigen3(const Eigen::Matrix3d& m);

/// In closed form: faster, and less accurate where eigenvalues lie close together.
/// @rt no allocation, no throw, fixed work
SymmetricEigen3 symmetricEigen3Direct(const Eigen::Matrix3d& m) noexcept;

/// Eigenvalues of a matrix of any size, rising. Reads the lower triangle.
Eigen::VectorXd symmetricEigenvalues(const Eigen::MatrixXd& m);

struct SymmetricEigen {
  Eigen::VectorXd values;   ///< rising
  Eigen::MatrixXd vectors;  ///< in columns, of length one
};

/// Of a matrix of any size. Reads the lower triangle.
SymmetricEigen symmetricEigen(const Eigen::MatrixXd& m);

}  // namespace tactus::rt
