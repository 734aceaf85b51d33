// The spectral radius of matrices whose eigenvalues are known.
#include "rt/math/spectral_radius.h"

#include <Eigen/LU>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <random>

using namespace tactus::rt;
using Eigen::Matrix3d;

namespace {

/// B D B^-1 with any B.
Matrix3d similarTo(const Matrix3d& D, std::mt19937& random) {
  std::normal_distribution<double> normal;
  Matrix3d B;
  for (double& entry : B.reshaped()) entry = normal(random);
  B += 3 * Matrix3d::Identity();
  return B * D * B.inverse();
}

// Tolerances: round-off, times the condition of the matrix of eigenvectors, some tens.

}  // namespace

TEST_CASE("the spectral radius is the largest modulus of real eigenvalues", "[rt][math]") {
  std::mt19937 random(11);
  for (const Eigen::Vector3d& values :
       {Eigen::Vector3d(1, -2, 0.5), Eigen::Vector3d(0, 0, 3), Eigen::Vector3d(-4, 1, 1),
        Eigen::Vector3d(1e-6, 2e-6, -1e-7), Eigen::Vector3d(0, 2, -2)})
    CHECK(spectralRadius3(similarTo(values.asDiagonal(), random)) ==
          Approx(values.cwiseAbs().maxCoeff()).epsilon(1e-7));  // of a double eigenvalue, the root of round-off
}

TEST_CASE("the spectral radius is the largest modulus of a complex pair and a real eigenvalue", "[rt][math]") {
  std::mt19937 random(12);
  for (const double real : {0.0, 0.3, -5.0})
    for (const double angle : {0.1, 1.0, 1.5707963267948966, 3.0}) {
      Matrix3d D = Matrix3d::Zero();
      D.topLeftCorner<2, 2>() << 2 * std::cos(angle), -2 * std::sin(angle), 2 * std::sin(angle), 2 * std::cos(angle);
      D(2, 2) = real;
      CHECK(spectralRadius3(similarTo(D, random)) == Approx(std::max(2.0, std::abs(real))).epsilon(1e-12));
    }
}

TEST_CASE("the spectral radius of zero and of a multiple of identity", "[rt][math]") {
  CHECK(spectralRadius3(Matrix3d::Zero()) == 0);
  CHECK(spectralRadius3(-3 * Matrix3d::Identity()) == 3);
}
