#include "rt/math/six.h"

#include <catch2/catch.hpp>

#include <random>

using namespace tactus::rt;
using Vector6 = Eigen::Matrix<double, 6, 1>;

namespace {

Vector6 randomSix(std::mt19937& random) {
  std::normal_distribution<double> normal;
  Vector6 v;
  for (double& x : v) x = normal(random);
  return v;
}

}  // namespace

TEST_CASE("six numbers keep their order in registers, and differences and multiples are exact", "[rt][math]") {
  std::mt19937 random(6);
  const Vector6 a = randomSix(random), b = randomSix(random);
  Vector6 stored;
  Six::load(a.data()).store(stored.data());
  CHECK(stored == a);
  Six::of(a.head<3>(), a.tail<3>()).store(stored.data());
  CHECK(stored == a);
  Six::zero().store(stored.data());
  CHECK(stored.isZero(0));
  Six difference = Six::load(a.data());
  difference -= 0.7 * Six::load(b.data());
  difference.store(stored.data());
  for (int k = 0; k < 6; ++k) CHECK(stored[k] == a[k] - 0.7 * b[k]);
}

TEST_CASE("a row times two motions is the sum of both products", "[rt][math]") {
  std::mt19937 random(7);
  for (int i = 0; i < 20; ++i) {
    const Vector6 a = randomSix(random), b = randomSix(random), c = randomSix(random), d = randomSix(random);
    const double sum = dots(Six::load(a.data()), Six::load(b.data()), Six::load(c.data()), Six::load(d.data()));
    CHECK(sum ==
          Approx(a.dot(b) + c.dot(d)).epsilon(0).margin(1e-14));  // round-off of twelve products in another order
  }
}

TEST_CASE("a matrix times a vector in registers equals the product of Eigen", "[rt][math]") {
  std::mt19937 random(8);
  std::normal_distribution<double> normal;
  Eigen::Matrix3d R;
  for (int i = 0; i < 9; ++i) R(i) = normal(random);
  const Eigen::Vector3d s(normal(random), normal(random), normal(random));
  CHECK((rotate(R, s) - R * s).norm() < 1e-15);  // round-off of three products in another order
}

TEST_CASE("a row of twelve numbers times two Sixes is the sum of four lanes", "[rt][math]") {
  std::mt19937 random(12);
  const Vector6 a = randomSix(random), b = randomSix(random);
  Eigen::Matrix<double, 12, 1> row;
  row << randomSix(random), randomSix(random);
  const Lanes<4> products = SixTwice(Six::load(a.data()), Six::load(b.data())).products(row.data());
  const double sum = products[0] + products[1] + products[2] + products[3];
  CHECK(sum == Approx(row.head<6>().dot(a) + row.tail<6>().dot(b)).epsilon(1e-14));  // round-off of twelve products
  Vector6 difference;
  (Six::load(a.data()) - Six::load(b.data())).store(difference.data());
  CHECK(difference == a - b);
}
