// LU factors with partial pivoting, for the set-up and the offline methods. Factors of Eigen are compiled anew in each
// source that uses them, for seconds each time; here they are compiled once.
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>

namespace tactus::rt {

/// LU factors of a square matrix, which must not be singular.
class LuFactors {
 public:
  LuFactors() = default;
  explicit LuFactors(const Eigen::MatrixXd& A) { compute(A); }
  void compute(const Eigen::MatrixXd& A);

  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
  Eigen::MatrixXd solve(const Eigen::MatrixXd& B) const;
  Eigen::MatrixXd inverse() const;

 private:
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
};

/// x with A x = b for a 3 x 3 matrix that is not singular, without allocation.
Eigen::Vector3d luSolve3(const Eigen::Matrix3d& A, const Eigen::Vector3d& b) noexcept;
Eigen::Matrix3d luSolve3(const Eigen::Matrix3d& A, const Eigen::Matrix3d& B) noexcept;

}  // namespace tactus::rt
