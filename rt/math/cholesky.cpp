#include "rt/math/cholesky.h"

#include <Eigen/Cholesky>

namespace tactus::rt {

Eigen::Matrix3d choleskyFactor3(const Eigen::Matrix3d& A) noexcept {
  return A.llt().matrixL();
}

Eigen::Matrix3d choleskySolve3(const Eigen::Matrix3d& A, const Eigen::Matrix3d& B) noexcept {
  return A.llt().solve(B);
}

Eigen::MatrixXd choleskyFactor(const Eigen::MatrixXd& A) {
  return A.llt().matrixL();
}

}  // namespace tactus::rt
