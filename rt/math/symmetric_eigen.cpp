#include "rt/math/symmetric_eigen.h"

#include <Eigen/Eigenvalues>

namespace tactus::rt {

SymmetricEigen3 symmetricEigen3(const Eigen::Matrix3d& m) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(m);
  return {eigen.eigenvalues(), eigen.eigenvectors()};
}

SymmetricEigen3 symmetricEigen3Direct(const Eigen::Matrix3d& m) noexcept {
  Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen;
  eigen.computeDirect(m);
  return {eigen.eigenvalues(), eigen.eigenvectors()};
}

Eigen::VectorXd symmetricEigenvalues(const Eigen::MatrixXd& m) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(m, Eigen::EigenvaluesOnly).eigenvalues();
}

SymmetricEigen symmetricEigen(const Eigen::MatrixXd& m) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(m);
  return {eigen.eigenvalues(), eigen.eigenvectors()};
}

}  // namespace tactus::rt
