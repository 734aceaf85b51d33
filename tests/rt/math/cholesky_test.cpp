#include "rt/math/cholesky.h"

#include <catch2/catch.hpp>

using namespace tactus::rt;

TEST_CASE("the Cholesky factor times its transpose is the matrix, and the solution solves it", "[rt][math]") {
  Eigen::Matrix3d A;
  A << 4, 1, -0.5, 1, 3, 0.25, -0.5, 0.25, 2;
  Eigen::Matrix3d B;
  B << 1, 2, 3, 4, 5, 6, 7, 8, 10;
  const Eigen::Matrix3d L = choleskyFactor3(A);
  CHECK((L * L.transpose() - A).norm() < 1e-15);  // round-off of numbers near one
  CHECK(L(0, 1) == 0);
  CHECK((A * choleskySolve3(A, B) - B).norm() < 1e-14);  // round-off of numbers near ten
  CHECK((choleskyFactor(A) - L).norm() < 1e-15);         // the same factor by another order of sums
}
