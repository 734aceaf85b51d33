#include "rt/ali3p/stiffness_limit.h"

#include "rt/math/symmetric_eigen.h"

#include <Eigen/Cholesky>

namespace tactus::rt {

Matrix3d limitedSum(const Matrix3d& J, const Matrix3d& K) noexcept {
  const Matrix3d L = J.llt().matrixL();
  const auto triangle = L.triangularView<Eigen::Lower>();
  // Column by column: what Eigen solves at once it packs first, as for large matrices.
  Matrix3d half, B;
  for (int c = 0; c < 3; ++c) half.col(c) = triangle.solve(K.col(c));
  half.transposeInPlace();
  for (int c = 0; c < 3; ++c) B.col(c) = triangle.solve(half.col(c));
  const SymmetricEigen3 eigen = symmetricEigen3Direct(0.5 * (B + B.transpose()));
  const Vector3d k = eigen.values.cwiseMax(kStiffnessLimit);
  const Matrix3d LQ = L * eigen.vectors;
  // ali3p (11)
  return J + LQ * k.asDiagonal() * LQ.transpose();
}

}  // namespace tactus::rt
