#include "rt/math/small_solve.h"

#include <Eigen/Dense>

#include <catch2/catch.hpp>

#include <limits>
#include <random>

using namespace tactus::rt;

namespace {

template <int N>
Eigen::Matrix<double, N, N> randomPositive(std::mt19937& random) {
  std::normal_distribution<double> normal;
  Eigen::Matrix<double, N, N> a;
  for (int i = 0; i < N * N; ++i) a(i) = normal(random);
  return a * a.transpose() + 0.1 * Eigen::Matrix<double, N, N>::Identity();
}

template <int N>
void checkSolve() {
  std::mt19937 random(10 + N);
  for (int i = 0; i < 20; ++i) {
    const Eigen::Matrix<double, N, N> m = randomPositive<N>(random);
    Eigen::Matrix<double, N, N> factors = m;
    factors.template triangularView<Eigen::StrictlyUpper>().setConstant(std::numeric_limits<double>::quiet_NaN());
    Eigen::Matrix<double, N, 1> b = Eigen::Matrix<double, N, 1>::LinSpaced(1, N), x = b;
    REQUIRE(factorLdlt<N>(factors.data(), N) > 0);
    solveLdlt<N>(factors.data(), N, x.data());
    // Round-off times the condition of a random matrix whose eigenvalues are 0.1 and more.
    CHECK((m * x - b).norm() < 1e-10 * b.norm());
  }
}

}  // namespace

TEST_CASE("LDL^T solves agree with the matrix and read only the lower triangle", "[rt][math]") {
  checkSolve<1>();
  checkSolve<2>();
  checkSolve<3>();
  checkSolve<4>();
  checkSolve<5>();
  checkSolve<6>();
}

TEST_CASE("LDL^T refuses matrices that are not positive definite, and NaN", "[rt][math]") {
  Eigen::Matrix2d m;
  m << 1, 2, 2, 1;
  CHECK_FALSE(factorLdlt<2>(m.data(), 2) > 0);
  m << 1, 0, 0, std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(factorLdlt<2>(m.data(), 2) > 0);
}

TEST_CASE("the symmetric 3 x 3 inverse and its test of definiteness", "[rt][math]") {
  std::mt19937 random(20);
  const Eigen::Matrix3d m = randomPositive<3>(random);
  Eigen::Matrix3d inverse;
  REQUIRE(invertSymmetric3(m, inverse));
  // Round-off times the condition, eigenvalues from 0.1 to about 10.
  CHECK((m * inverse - Eigen::Matrix3d::Identity()).norm() < 1e-12);
  CHECK(isPositiveDefinite3(m));
  CHECK_FALSE(isPositiveDefinite3(m - 100 * Eigen::Matrix3d::Identity()));
  CHECK_FALSE(isPositiveDefinite3(Eigen::Vector3d(1, 1, -1e-3).asDiagonal()));
}
