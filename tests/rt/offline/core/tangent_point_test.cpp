// The reduced equations against differences of the accelerations in minimal coordinates.
// Covers: rt/offline/core/minimal_coordinates.cpp
// Covers: rt/mechanics/force_element_derivatives.cpp
#include "rt/offline/core/tangent_point.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/offline/core/equations_of_motion.h"
#include "rt/offline/core/minimal_coordinates.h"
#include "tests/rt/offline/method_run.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace tactus;
using namespace tactus::tests;
using namespace tactus::rt::offline;

namespace {

/// As declared, but for the brake, which comes between 0.05 and 0.1 s.
InputSignal braked(const rt::Model& model, double pedal) {
  return [&model, pedal, declared = declaredInput(model)](double t, std::span<double> values) {
    declared(t, values);
    for (std::size_t k = 0; k < values.size(); ++k)
      if (model.actuator_names[k] == "pedal") values[k] = pedal * std::clamp((t - 0.05) / 0.05, 0.0, 1.0);
  };
}

}  // namespace

TEST_CASE("the reduced equations are the exact Jacobian of minimal coordinates", "[rt][offline]") {
  // On a closed spatial loop with spinning bodies: s'' differentiated by s and s' against M^-1 K and M^-1 C.
  const tactus::rt::Model model = tactus::rt::buildModel(randomLoop(5, 2, 731));
  const EquationsOfMotion system(model, declaredInput(model));
  MotionPoint at = system.pointOf(tactus::rt::initialState(model).state, 0);
  linearize(system, at);  // sets the multipliers
  const MatrixXd H(system.jacobian(at));
  const double h = 1e-5;
  Statistics ignored;
  const VectorXd weights = VectorXd::LinSpaced(system.size(), 0.02, 2);
  // In an orthonormal basis, in a weighed one, and in coordinates that are parted.
  for (const MotionBasis& basis : {continuedBasis(H, {}, {}), weighedBasis(continuedBasis(H, {}, {}), weights),
                                   partitionedBasis(H, TangentSpace(H).rank(), weights)}) {
    const MinimalCoordinates coordinates(system, at, basis);
    const TangentPoint tangent = linearize(system, at, coordinates.startMotions(),
                                           [&](const MatrixXd& b) { return coordinates.atStart().answer(b); });
    const auto n = tangent.T.cols();
    REQUIRE(n > 0);
    const Eigen::PartialPivLU<Eigen::MatrixXd> mass(tangent.reduced.M);
    const Eigen::MatrixXd J1 = -mass.solve(tangent.reduced.K), J2 = -mass.solve(tangent.reduced.C);
    const VectorXd zero = VectorXd::Zero(n), sd = coordinates.startRate();
    for (int k = 0; k < n; ++k) {
      const VectorXd e = h * VectorXd::Unit(n, k);
      const auto f = [&](const VectorXd& s, const VectorXd& v) {
        return coordinates.evaluate(0, s, v, at.internal_states, ignored).second_rate;
      };
      const VectorXd by_position = (f(e, sd) - f(-e, sd)) / (2 * h),
                     by_rate = (f(zero, sd + e) - f(zero, sd - e)) / (2 * h);
      // Truncation and round-off of the differences are 1e-9 of the derivatives.
      CHECK((by_position - J1.col(k)).norm() < 1e-6 * (1 + J1.norm()));
      CHECK((by_rate - J2.col(k)).norm() < 1e-6 * (1 + J2.norm()));
    }
  }
}

TEST_CASE("the reduced equations have the exact Jacobian of elements with internal states", "[rt][offline][forces]") {
  const rt::Model model = rt::buildModel(rollingRig());
  const EquationsOfMotion system(model, braked(model, 0.3));
  // After a while, so that nothing is zero.
  rt::State state(model);
  state.values() = runOn(model, braked(model, 0.3), "mcs-qr", 5e-4, 0.1).samples.back().state;
  MotionPoint at = system.pointOf(state, 0.1);
  linearize(system, at);  // sets the multipliers
  const MinimalCoordinates coordinates(system, at, continuedBasis(MatrixXd(system.jacobian(at)), {}, {}));
  const TangentPoint tangent = linearize(system, at, coordinates.startMotions(),
                                         [&](const MatrixXd& b) { return coordinates.atStart().answer(b); });
  const Eigen::PartialPivLU<Eigen::MatrixXd> mass(tangent.reduced.M);
  const VectorXd zero = VectorXd::Zero(tangent.T.cols()), sd = coordinates.startRate();
  Statistics ignored;
  const double h = 1e-6;
  REQUIRE(system.internalStateCount() == 4);
  for (int k = 0; k < zero.size() + 4; ++k) {
    const bool of_internal_states = k >= zero.size();
    const VectorXd s = h * VectorXd::Unit(zero.size() + 4, k);
    const VectorXd move = s.head(zero.size()), remember = s.tail(4);
    const auto at_position = [&](double sign) {
      return coordinates.evaluate(0.1, sign * move, sd, at.internal_states + sign * remember, ignored);
    };
    const auto above = at_position(1), below = at_position(-1);
    const VectorXd f = (above.second_rate - below.second_rate) / (2 * h);
    const VectorXd g = (above.point.internal_rate - below.point.internal_rate) / (2 * h);
    const MatrixXd F = -mass.solve(of_internal_states ? tangent.residual_by_internal : tangent.reduced.K);
    const MatrixXd& G = of_internal_states ? tangent.rate_by_internal : tangent.rate_by_position;
    const auto column = of_internal_states ? k - zero.size() : k;
    // Central differences: truncation and round-off of 1e-9 of the derivatives, of a solution that iterates to 1e-12.
    CHECK((f - F.col(column)).norm() < 1e-6 * (1 + F.norm()));
    CHECK((g - G.col(column)).norm() < 1e-6 * (1 + G.norm()));
    if (of_internal_states) continue;
    const auto at_rate = [&](double sign) {
      return coordinates.evaluate(0.1, zero, sd + sign * move, at.internal_states, ignored);
    };
    const auto faster = at_rate(1), slower = at_rate(-1);
    const MatrixXd J2 = -mass.solve(tangent.reduced.C);
    // As above.
    CHECK(((faster.second_rate - slower.second_rate) / (2 * h) - J2.col(k)).norm() < 1e-6 * (1 + J2.norm()));
    CHECK(
        ((faster.point.internal_rate - slower.point.internal_rate) / (2 * h) - tangent.rate_by_velocity.col(k)).norm() <
        1e-6 * (1 + tangent.rate_by_velocity.norm()));
  }
}
