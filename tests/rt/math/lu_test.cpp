// Solutions by LU factors with partial pivoting.
#include "rt/math/lu.h"

#include <catch2/catch.hpp>

#include <random>

using namespace tactus::rt;
using Eigen::MatrixXd;

namespace {

/// Round-off of a solution, times the condition of the matrices below, some tens.
constexpr double kSolved = 1e-13;

MatrixXd anyMatrix(Eigen::Index rows, Eigen::Index cols, std::mt19937& random) {
  std::normal_distribution<double> normal;
  MatrixXd m(rows, cols);
  for (double& entry : m.reshaped()) entry = normal(random);
  return m;
}

/// Far from singular, with zeros on the diagonal: without pivots there is no solution.
MatrixXd withoutDiagonal(Eigen::Index n, std::mt19937& random) {
  MatrixXd m = 0.1 * anyMatrix(n, n, random);
  m.diagonal().setZero();
  for (Eigen::Index i = 0; i < n; ++i) m((i + 1) % n, i) += 3;
  return m;
}

}  // namespace

TEST_CASE("LU factors solve and invert matrices that need pivots", "[rt][math]") {
  std::mt19937 random(3);
  for (Eigen::Index n : {1, 2, 3, 6, 7, 40}) {
    const MatrixXd A = n == 1 ? MatrixXd(MatrixXd::Constant(1, 1, -2)) : withoutDiagonal(n, random);
    const Eigen::VectorXd b = anyMatrix(n, 1, random);
    CHECK((A * LuFactors(A).solve(b) - b).norm() < kSolved * b.norm());
    CHECK((A * LuFactors(A).inverse() - MatrixXd::Identity(n, n)).norm() < kSolved);
  }
}

TEST_CASE("LU factors of 3 x 3 matrices solve for vectors and matrices", "[rt][math]") {
  std::mt19937 random(4);
  const Eigen::Matrix3d A = withoutDiagonal(3, random), B = anyMatrix(3, 3, random);
  CHECK((A * luSolve3(A, B) - B).norm() < kSolved);
  const Eigen::Vector3d b = B.col(0);
  CHECK((A * luSolve3(A, b) - b).norm() < kSolved);
}
