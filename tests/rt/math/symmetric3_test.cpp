#include "rt/math/symmetric3.h"

#include <Eigen/Dense>

#include <catch2/catch.hpp>

#include <random>

using namespace tactus::rt;
using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

// Tolerances: round-off of up to nine products of numbers about 1, in another order than Eigen's.

struct Sample {
  std::mt19937 random{9};
  std::normal_distribution<double> normal;
  Matrix3d a = full(), b = full(), symmetric = a * a.transpose();
  Symmetric3<double> s = Symmetric3<double>::lowerOf(symmetric);
  Vector3d x{normal(random), normal(random), normal(random)};

  Matrix3d full() {
    Matrix3d m;
    for (int i = 0; i < 9; ++i) m(i) = normal(random);
    return m;
  }
};

}  // namespace

TEST_CASE("six numbers stand for the symmetric matrix whose lower triangle they are", "[rt][math]") {
  const Sample t;
  CHECK((t.s.full() - t.symmetric).norm() < 1e-13);
  CHECK(t.s.trace() == Approx(t.symmetric.trace()));
  CHECK(t.s.determinant() == Approx(t.symmetric.determinant()));
  CHECK((t.s.adjugate().full() - t.symmetric.determinant() * t.symmetric.inverse()).norm() < 1e-13);
  CHECK((Symmetric3<double>::diagonal(2.5).full() - 2.5 * Matrix3d::Identity()).isZero(0));
  CHECK(((t.s + 2.0 * t.s).full() - 3 * t.symmetric).norm() < 1e-13);
  CHECK((t.s * t.x - t.symmetric * t.x).norm() < 1e-13);
}

TEST_CASE("products that are added to a vector equal those of full matrices", "[rt][math]") {
  const Sample t;
  Vector3d sum(1, 2, 3);
  addProduct(t.a, t.x, sum);
  addTransposedProduct(t.b, t.x, sum);
  subtractProduct(t.symmetric, t.x, sum);
  CHECK((sum - (Vector3d(1, 2, 3) + t.a * t.x + t.b.transpose() * t.x - t.symmetric * t.x)).norm() < 1e-13);
}

TEST_CASE("products of a full and a symmetric matrix equal those of full matrices", "[rt][math]") {
  const Sample t;
  CHECK((times(t.a, t.s) - t.a * t.symmetric).norm() < 1e-13);
  const Matrix3d transposed = t.b.transpose();
  CHECK((minusProduct(t.s, t.b, transposed).full() - (t.symmetric - t.b * transposed)).norm() < 1e-13);
  const Matrix3d R = Eigen::AngleAxisd(0.8, t.x.normalized()).toRotationMatrix();
  const Vector3d d(0.3, 1.2, 2);
  CHECK((rotated(R, d).full() - R * d.asDiagonal() * R.transpose()).norm() < 1e-13);
}
