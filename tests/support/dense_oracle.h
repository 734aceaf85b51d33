// One big dense solve of the saddle system that a step eliminates along its tree.
#pragma once

#include <Eigen/Dense>

#include <vector>

namespace tactus::tests {

/// One constraint row between two bodies, or between a body and ground.
struct SaddleRow {
  int body_1 = -1, body_2 = -1;  ///< -1 for ground, whose Jacobian is ignored
  Eigen::Matrix<double, 1, 6> h_1 = Eigen::Matrix<double, 1, 6>::Zero();
  Eigen::Matrix<double, 1, 6> h_2 = Eigen::Matrix<double, 1, 6>::Zero();
  double eps = 0;
};

/// The blocks of
///
///   [ W^-1   H^T ] [ x ]   [ b ]
///   [ H     -eps ] [ l ] = [ c ]
///
/// W^-1 need not be symmetric; rows may be redundant where eps > 0.
struct SaddleSystem {
  std::vector<Eigen::Matrix<double, 6, 6>> inverse_W;  ///< of each body
  std::vector<SaddleRow> rows;

  int unknowns() const { return static_cast<int>(6 * inverse_W.size() + rows.size()); }

  /// The whole matrix, 6 unknowns for each body first, then the rows.
  Eigen::MatrixXd matrix() const;
};

struct SaddleSolution {
  Eigen::VectorXd x, lambda;
};

/// Solves with full pivoting in extended precision (80 bit).
/// @param b  6 for each body;  @param c  one for each row
SaddleSolution solveDense(const SaddleSystem& system, const Eigen::VectorXd& b, const Eigen::VectorXd& c);

}  // namespace tactus::tests
