// Rows that go side by side against rows one by one.
// Covers: rt/mechanics/primitives/primitive.h, rt/mechanics/section_lanes.cpp
#include "rt/mechanics/row_lanes.h"
#include "rt/math/worst.h"
#include "rt/model/model.h"

#include "rt/mechanics/coupler.h"
#include "tests/rt/mechanics/any_motions.h"
#include "tests/support/bushing_chain.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace tactus;
using namespace tactus::tests;
using rt::Matrix3d;
using rt::Vector3d;

namespace {

constexpr double kRoundOff = 1e-14;  // of numbers up to about 10

/// Five elements from ground along an arc of 1.2 rad, of which two lanes are empty.
rt::ModelSpec bentBeam() {
  rt::BeamSpec beam;
  for (int k = 0; k <= 5; ++k) beam.points.push_back({{std::sin(0.24 * k), 1 - std::cos(0.24 * k), 0}, 0.1 * k});
  beam.elements = 5;
  beam.across = Vector3d::UnitZ();
  beam.stations = {{0, rt::RectangleSectionSpec{0.02, 0.01}}};
  beam.material = rt::BeamMaterialSpec{2e11, 0.3, 7800};
  beam.mounts = {{0, rt::kGroundName}};
  rt::ModelSpec spec;
  spec.name = "bent_beam";
  spec.gravity = Vector3d::Zero();
  spec.composites = {{"beam", "", beam}};
  return spec;
}

/// Five springs and three rods between bodies, and one of each from ground.
rt::ModelSpec springsAndRods() {
  rt::ModelSpec spec = randomTree(6, JointMix::kHinged, 11);
  const auto name = [&spec](int i) { return spec.bodies[static_cast<std::size_t>(i)].name; };
  for (int i = 0; i < 5; ++i) {
    const std::string from = i == 0 ? rt::kGroundName : name(i - 1);
    const Vector3d at(0.1 * i, 0.2, -0.3), to(0.4, -0.1 * i, 0.7);
    rt::TranslationalSpringSpec spring;
    spring.body_1 = from;
    spring.body_2 = name(i);
    spring.point_1 = at;
    spring.point_2 = to;
    spring.stiffness = 1000;
    spring.damping = 10;
    spec.forces.push_back({"spring_" + std::to_string(i), "", spring});
    if (i < 4)
      spec.joints.push_back(makeJoint("rod_" + std::to_string(i), from, name(i + 1), rt::DistanceSpec{to, at, {}}));
  }
  return spec;
}

}  // namespace

TEST_CASE("rows side by side are those of primitives one by one", "[rt][mechanics]") {
  // One to nine primitives of a kind: groups that are full, and groups that are not; bodies on ground at either side.
  std::vector<rt::ModelSpec> specs = {
      fourBar(FourBarReading::kDown), ladder(2),       doublePendulum(), cantileverOfBushings(1),
      cantileverOfBushings(3),        springsAndRods()};
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

    // The values alone of compliant rows have the same bits.
    std::vector<double> values(rows);
    lanes.evaluateCompliantValues(model, motions.data(), coordinates.data(), values.data());
    for (const rt::Joint& joint : model.joints)
      for (int k = joint.first_row; joint.compliant() && k < joint.first_row + joint.row_count; ++k)
        CHECK(values[static_cast<std::size_t>(k)] == phi[static_cast<std::size_t>(k)]);

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

TEST_CASE("sections of beams side by side are those one by one", "[rt][mechanics][beam]") {
  const rt::Model model = rt::buildModel(bentBeam());
  // Neighbors turned by less than a quarter turn, one far beyond the first series of the strain.
  auto motions = anyMotions(model, 7);
  for (std::size_t i = 0; i < motions.size(); ++i)
    motions[i].R =
        rt::rotationMatrix(model.initial_conditions[0].orientation[i]) *
        Eigen::AngleAxisd(i == 2 ? 1.2 : 0.02 * static_cast<double>(i), Vector3d(1, 2, -1).normalized()).matrix();
  const auto rows = static_cast<std::size_t>(model.rows);
  const rt::RowLanes lanes(model);
  std::vector<double> phi(rows), expected_phi(rows), gamma(rows), expected_gamma(rows);
  std::vector<rt::RowJacobian> H(model.jacobianRows()), expected_H(model.jacobianRows());
  lanes.evaluate(model, motions.data(), nullptr, phi.data(), H.data());
  rt::evaluateAllRows(model, motions.data(), nullptr, expected_phi.data(), expected_H.data());
  lanes.evaluateGamma(model, motions.data(), gamma.data());
  for (const rt::Primitive& p : model.primitives) rt::evaluateGamma(p, motions.data(), expected_gamma.data() + p.row);
  std::vector<double> values(rows);
  lanes.evaluateCompliantValues(model, motions.data(), nullptr, values.data());
  CHECK(values == phi);  // the same bits
  // Tolerances: a thousand operations in another order, on numbers up to 100.
  CHECK(difference(phi, expected_phi) < 1e-12);
  CHECK(difference(gamma, expected_gamma) < 1e-11);
  double largest = 0;
  for (std::size_t r = 0; r < rows; ++r)
    for (int side : {0, 1})
      for (int k = 0; k < 6; ++k) largest = rt::worst(largest, std::abs(H[r].h[side][k] - expected_H[r].h[side][k]));
  CHECK(largest < 1e-12);
}
