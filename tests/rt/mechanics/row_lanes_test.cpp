// Rows that go side by side against rows one by one.
// Covers: rt/mechanics/primitives/primitive.h
#include "rt/mechanics/row_lanes.h"

#include "rt/mechanics/coupler.h"
#include "tests/support/bushing_chain.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <random>

using namespace tactus;
using namespace tactus::tests;
using rt::Matrix3d;
using rt::Vector3d;

namespace {

/// Poses and velocities that satisfy nothing.
std::vector<rt::BodyMotion> anyMotions(const rt::Model& model, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const auto draw = [&]() -> Vector3d { return Vector3d(normal(random), normal(random), normal(random)); };
  std::vector<rt::BodyMotion> motions(model.bodies.size());
  for (rt::BodyMotion& m : motions) {
    m.r = draw();
    m.R = rt::rotationMatrix(rt::Vector4d(normal(random), normal(random), normal(random), 1).normalized());
    m.v = draw();
    m.omega_w = draw();
  }
  return motions;
}

constexpr double kRoundOff = 1e-14;  // of numbers up to about 10

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
  return largest;
}

}  // namespace

TEST_CASE("rows side by side are those of primitives one by one", "[rt][mechanics]") {
  // One to nine primitives of a kind: groups that are full, and groups that are not; bodies on ground at either side.
  std::vector<rt::ModelSpec> specs = {fourBar(FourBarReading::kDown), ladder(2), doublePendulum(),
                                      cantileverOfBushings(1), cantileverOfBushings(3)};
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    specs.push_back(randomTree(static_cast<int>(seed) + 2, JointMix::kMixed, seed));
    specs.push_back(randomLoop(5, 2, seed));
  }
  for (std::size_t i = 0; i < specs.size(); ++i) {
    CAPTURE(i);
    const rt::Model model = rt::buildModel(specs[i]);
    const auto motions = anyMotions(model, 7);
    const auto rows = static_cast<std::size_t>(model.rows);
    const std::vector<double> coordinates(static_cast<std::size_t>(model.displacements), 0.0);
    const rt::RowLanes lanes(model);

    std::vector<double> phi(rows), expected_phi(rows);
    std::vector<rt::RowJacobian> H(model.jacobianRows()), expected_H(model.jacobianRows());
    lanes.evaluate(model, motions.data(), coordinates.data(), phi.data(), H.data());
    rt::evaluateAllRows(model, motions.data(), coordinates.data(), expected_phi.data(), expected_H.data());
    CHECK(difference(phi, expected_phi) < kRoundOff);
    for (std::size_t r = 0; r < H.size(); ++r)
      for (int side : {0, 1}) CHECK(std::equal(H[r].h[side], H[r].h[side] + 6, expected_H[r].h[side]));

    std::vector<double> gamma(rows), expected_gamma(rows), lambda(rows);
    lanes.evaluateGamma(model, motions.data(), gamma.data());
    std::vector<Matrix3d> K(model.bodies.size(), Matrix3d::Zero()), expected_K(K);
    for (std::size_t r = 0; r < rows; ++r) lambda[r] = std::sin(1.0 + static_cast<double>(r));
    lanes.addGeometricStiffness(model, motions.data(), lambda.data(), K.data());
    for (const rt::Primitive& p : model.primitives) {
      rt::evaluateGamma(p, motions.data(), expected_gamma.data() + p.row);
      rt::addGeometricStiffness(p, motions.data(), lambda.data() + p.row, expected_K.data());
    }
    CHECK(difference(gamma, expected_gamma) < kRoundOff);
    // Bodies add their primitives up in another order.
    for (std::size_t b = 0; b < K.size(); ++b) CHECK((K[b] - expected_K[b]).norm() <= 1e-14 * expected_K[b].norm());
  }
}
