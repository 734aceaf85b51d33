#include "tests/support/dense_oracle.h"

namespace tactus::tests {

Eigen::MatrixXd SaddleSystem::matrix() const {
  const int n = static_cast<int>(6 * inverse_W.size());
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(unknowns(), unknowns());
  for (int i = 0; 6 * i < n; ++i) K.block<6, 6>(6 * i, 6 * i) = inverse_W[static_cast<std::size_t>(i)];
  for (int k = 0; k < static_cast<int>(rows.size()); ++k) {
    const SaddleRow& row = rows[static_cast<std::size_t>(k)];
    // Added, not assigned: both ends of a row may lie on one body.
    if (row.body_1 >= 0) K.block<1, 6>(n + k, 6 * row.body_1) += row.h_1;
    if (row.body_2 >= 0) K.block<1, 6>(n + k, 6 * row.body_2) += row.h_2;
    K(n + k, n + k) = -row.eps;
  }
  K.topRightCorner(n, static_cast<Eigen::Index>(rows.size())) =
      K.bottomLeftCorner(static_cast<Eigen::Index>(rows.size()), n).transpose();
  return K;
}

SaddleSolution solveDense(const SaddleSystem& system, const Eigen::VectorXd& b, const Eigen::VectorXd& c) {
  using MatrixXl = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  using VectorXl = Eigen::Matrix<long double, Eigen::Dynamic, 1>;
  const MatrixXl K = system.matrix().cast<long double>();
  VectorXl rhs(b.size() + c.size());
  rhs << b.cast<long double>(), c.cast<long double>();
  const Eigen::VectorXd solution = K.fullPivLu().solve(rhs).eval().cast<double>();
  return {solution.head(b.size()), solution.tail(c.size())};
}

}  // namespace tactus::tests
