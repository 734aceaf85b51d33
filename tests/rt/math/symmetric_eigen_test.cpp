// Eigenvalues and eigenvectors of symmetric matrices.
#include "rt/math/symmetric_eigen.h"

#include <catch2/catch.hpp>

#include <random>

using namespace tactus::rt;

TEST_CASE("eigenvectors of a symmetric matrix are orthonormal and belong to rising eigenvalues", "[rt][math]") {
  std::mt19937 random(21);
  std::normal_distribution<double> normal;
  for (int repeat = 0; repeat < 10; ++repeat) {
    Eigen::Matrix3d A;
    for (double& entry : A.reshaped()) entry = normal(random);
    A = (A + A.transpose()).eval();
    for (const SymmetricEigen3& eigen : {symmetricEigen3(A), symmetricEigen3Direct(A)}) {
      // Round-off; in closed form some digits of it are lost where eigenvalues lie close together.
      CHECK((A * eigen.vectors - eigen.vectors * eigen.values.asDiagonal()).norm() < 1e-12);
      CHECK((eigen.vectors.transpose() * eigen.vectors - Eigen::Matrix3d::Identity()).norm() < 1e-12);
      CHECK(eigen.values[0] <= eigen.values[1]);
      CHECK(eigen.values[1] <= eigen.values[2]);
    }
  }
}
