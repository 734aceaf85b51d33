#include "rt/ali3p/stiffness_limit.h"

#include <Eigen/Eigenvalues>
#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

using namespace tactus::rt;

namespace {

Matrix3d randomSymmetric(std::mt19937& random, double size) {
  std::normal_distribution<double> normal(0, size);
  Matrix3d m;
  for (int i = 0; i < 9; ++i) m(i / 3, i % 3) = normal(random);
  return 0.5 * (m + m.transpose());
}

}  // namespace

TEST_CASE("a limited sum has no generalized eigenvalue below the limit and keeps the others", "[rt][ali3p]") {
  std::mt19937 random(5);
  int limited = 0;
  for (int k = 0; k < 200; ++k) {
    const Matrix3d root = randomSymmetric(random, 1) + 2 * Matrix3d::Identity();
    const Matrix3d J = root * root + 0.1 * Matrix3d::Identity(), K = randomSymmetric(random, 2);
    const Matrix3d sum = limitedSum(J, K);
    const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix3d> before(K, J), after(Matrix3d(sum - J), J);
    for (int i = 0; i < 3; ++i) {
      const double expected = std::max(before.eigenvalues()[i], kStiffnessLimit);
      // Closed-form eigenvalues of a 3 x 3 matrix: half of the digits where two are close.
      CHECK(after.eigenvalues()[i] == Approx(expected).epsilon(0).margin(1e-7));
    }
    limited += before.eigenvalues()[0] < kStiffnessLimit ? 1 : 0;
    CHECK((sum - sum.transpose()).norm() < 1e-12 * sum.norm());  // round-off of three products
  }
  CHECK(limited > 20);
}
