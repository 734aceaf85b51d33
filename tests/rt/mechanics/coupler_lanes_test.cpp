// Rows with terms that go side by side against rows one by one.
// Covers: rt/mechanics/primitive_lanes.cpp, rt/mechanics/lane_ends.h
#include "rt/mechanics/coupler_lanes.h"
#include "rt/model/model.h"

#include "rt/mechanics/coupler.h"
#include "rt/mechanics/row_lanes.h"
#include "tests/rt/mechanics/any_motions.h"
#include "tests/support/mode_springs.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace tactus;
using namespace tactus::tests;
using rt::Matrix3d;
using rt::Vector3d;

namespace {

constexpr double kRoundOff = 1e-13;  // six terms of numbers up to about 10

}  // namespace

TEST_CASE("rows with terms side by side are those one by one", "[rt][mechanics]") {
  const rt::Model model = rt::buildModel(modeSprings());
  REQUIRE(model.couplers.size() == 11);
  CHECK(rt::CouplerLanes(model).alone() == std::vector<int>{0});  // its terms are angles
  const auto motions = anyMotions(model, 7);
  const auto rows = static_cast<std::size_t>(model.rows);
  const std::vector<double> displacements(static_cast<std::size_t>(model.displacements), 0.0);
  const rt::RowLanes lanes(model);

  std::vector<double> phi(rows), expected_phi(rows);
  std::vector<rt::RowJacobian> H(model.jacobianRows()), expected_H(model.jacobianRows());
  lanes.evaluate(model, motions.data(), displacements.data(), phi.data(), H.data());
  rt::evaluateAllRows(model, motions.data(), displacements.data(), expected_phi.data(), expected_H.data());
  CHECK(difference(phi, expected_phi) < kRoundOff);
  for (std::size_t r = 0; r < H.size(); ++r)
    for (int side : {0, 1})
      for (int k = 0; k < 6; ++k) CHECK(std::abs(H[r].h[side][k] - expected_H[r].h[side][k]) < kRoundOff);

  std::vector<double> values(rows);
  lanes.evaluateCompliantValues(model, motions.data(), displacements.data(), values.data());
  for (const rt::Joint& joint : model.joints)
    if (joint.compliant())
      CHECK(values[static_cast<std::size_t>(joint.first_row)] == phi[static_cast<std::size_t>(joint.first_row)]);

  std::vector<double> gamma(rows), lambda(rows);
  lanes.evaluateGamma(model, motions.data(), gamma.data());
  for (std::size_t r = 0; r < rows; ++r) lambda[r] = std::sin(1.0 + static_cast<double>(r));
  std::vector<Matrix3d> K(model.bodies.size(), Matrix3d::Zero()), expected_K(K);
  lanes.addGeometricStiffness(model, motions.data(), lambda.data(), K.data());
  for (const rt::Primitive& p : model.primitives)
    rt::addGeometricStiffness(p, motions.data(), lambda.data() + p.row, expected_K.data());
  for (const rt::Coupler& coupler : model.couplers) {
    const rt::Joint& joint = model.joints[static_cast<std::size_t>(coupler.joint)];
    // gamma holds products of three numbers.
    CHECK(std::abs(gamma[static_cast<std::size_t>(joint.first_row)] - rt::couplerGamma(coupler, motions.data())) <
          100 * kRoundOff);
    for (const rt::Primitive& term : coupler.terms)
      rt::addGeometricStiffness(term, motions.data(), lambda.data() + term.row, expected_K.data());
  }
  for (std::size_t b = 0; b < K.size(); ++b) CHECK((K[b] - expected_K[b]).norm() <= kRoundOff * expected_K[b].norm());
}
