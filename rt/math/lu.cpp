#include "rt/math/lu.h"

namespace tactus::rt {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

void LuFactors::compute(const MatrixXd& A) {
  lu_.compute(A);
}

VectorXd LuFactors::solve(const VectorXd& b) const {
  return lu_.solve(b);
}

MatrixXd LuFactors::solve(const MatrixXd& B) const {
  if (B.cols() == 0) return B;  // a triangular solve of Eigen refers to the first number of B even if there is none
  return lu_.solve(B);
}

MatrixXd LuFactors::inverse() const {
  return lu_.inverse();
}

Vector3d luSolve3(const Matrix3d& A, const Vector3d& b) noexcept {
  return A.partialPivLu().solve(b);
}

Matrix3d luSolve3(const Matrix3d& A, const Matrix3d& B) noexcept {
  return A.partialPivLu().solve(B);
}

}  // namespace tactus::rt
