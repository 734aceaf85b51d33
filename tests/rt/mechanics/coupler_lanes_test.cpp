// Rows with terms that go side by side against rows one by one.
// Covers: rt/mechanics/primitive_lanes.cpp, rt/mechanics/lane_ends.h
#include "rt/mechanics/coupler_lanes.h"
#include "rt/model/model.h"

#include "rt/mechanics/coupler.h"
#include "rt/mechanics/row_lanes.h"
#include "tests/rt/mechanics/any_motions.h"
#include "tests/support/mode_springs.h"

#include <catch2/catch.hpp>

#include <algorithm>
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
  // That of joints and rigid couplers alone.
  lanes.addGeometricStiffness(model, motions.data(), lambda.data(), K.data());
  for (const rt::Primitive& p : model.primitives)
    rt::addGeometricStiffness(p, motions.data(), lambda.data() + p.row, expected_K.data());
  for (const rt::Coupler& coupler : model.couplers) {
    const rt::Joint& joint = model.joints[static_cast<std::size_t>(coupler.joint)];
    // gamma holds products of three numbers.
    CHECK(std::abs(gamma[static_cast<std::size_t>(joint.first_row)] - rt::couplerGamma(coupler, motions.data())) <
          100 * kRoundOff);
    for (const rt::Primitive& term : coupler.terms)
      if (!joint.compliant())
        rt::addGeometricStiffness(term, motions.data(), lambda.data() + term.row, expected_K.data());
  }
  for (std::size_t b = 0; b < K.size(); ++b) CHECK((K[b] - expected_K[b]).norm() <= kRoundOff * expected_K[b].norm());
}

TEST_CASE("products with rows by their parts are those with their Jacobian", "[rt][mechanics]") {
  const rt::Model model = rt::buildModel(modeSprings());
  const auto motions = anyMotions(model, 8);
  const auto rows = static_cast<std::size_t>(model.rows);
  const std::vector<double> displacements(static_cast<std::size_t>(model.displacements), 0.0);
  const rt::RowLanes lanes(model);
  const rt::CouplerLanes& parts = lanes.couplers();
  REQUIRE(parts.rows().size() == 10);
  std::vector<double> phi(rows), rates(rows), accelerations(rows), lambda(rows);
  std::vector<rt::RowJacobian> H(model.jacobianRows());
  lanes.evaluateByParts(model, motions.data(), displacements.data(), phi.data(), H.data());
  for (const int row : parts.rows())  // of no row that goes by parts
    CHECK(H[static_cast<std::size_t>(row)].h[0][0] == 0);
  parts.writeJacobian(H.data());
  parts.rates(motions.data(), rates.data());
  parts.accelerations(motions.data(), accelerations.data());
  for (std::size_t r = 0; r < rows; ++r) lambda[r] = std::sin(1.0 + static_cast<double>(r));
  std::vector<double> right_sides(6 * model.bodies.size(), 0.5), expected(right_sides);
  parts.subtractReactions(lambda.data(), right_sides.data());
  for (const int row : parts.rows()) {
    const auto joint = std::find_if(model.joints.begin(), model.joints.end(),
                                    [row](const rt::Joint& of) { return of.first_row == row; });
    double rate = 0, acceleration = 0;
    rt::forEachSide(model, *joint, row, H.data(), [&](int body, const double* h) {
      const rt::BodyMotion& m = motions[static_cast<std::size_t>(body)];
      for (int k = 0; k < 3; ++k) {
        rate += h[k] * m.v[k] + h[3 + k] * m.omega_w[k];
        acceleration += h[k] * m.a[k] + h[3 + k] * m.alpha_w[k];
      }
      for (int k = 0; k < 6; ++k)
        expected[static_cast<std::size_t>(6 * body + k)] -= lambda[static_cast<std::size_t>(row)] * h[k];
    });
    CHECK(std::abs(rates[static_cast<std::size_t>(row)] - rate) < 10 * kRoundOff);  // sums of 24 products
    CHECK(std::abs(accelerations[static_cast<std::size_t>(row)] - acceleration) < 10 * kRoundOff);
  }
  CHECK(difference(right_sides, expected) < 10 * kRoundOff);
}
