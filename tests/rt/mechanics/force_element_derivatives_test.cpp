// Derivatives of direct loads, all kinds at once, against differences.
#include "rt/mechanics/force_element_derivatives.h"
#include "rt/model/model.h"

#include "rt/mechanics/initial_state.h"
#include "tests/rt/mechanics/elements/direct_loads.h"
#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>
#include <vector>

using namespace tactus::rt;
using namespace tactus::tests;

TEST_CASE("derivatives of drags, air and anti-roll bars agree with differences", "[rt][mechanics][elements]") {
  std::mt19937 random(821);
  for (int repeat = 0; repeat < 6; ++repeat) {
    Model model = directLoads(repeat % 2 == 1);
    if (repeat > 2) {
      model.air_loads[0].side = 0.9;
      model.air_loads[0].across = Vector3d(0.8, 0, 0.6);
    }
    const Motions motions = randomMotions(random);
    const std::vector<double> angles = anglesOf(model, motions);
    // The angle of a bar's joint holds for parallel axes: its rate is exact for turning about the axis alone.
    for (const bool velocity : {false, true}) {
      const Eigen::MatrixXd D = derivativesOf(model, motions, angles, velocity);
      for (int c = 0; c < 6 * kBodies; ++c) {
        if (!velocity && c < 18 && c % 6 >= 3) continue;
        CAPTURE(repeat, velocity, c);
        CHECK((D.col(c) - differenceOf(model, motions, angles, velocity, c)).norm() < kDifferenceTolerance);
      }
    }
  }
}

namespace {

/// A wheel with slip, a brake that drags, dry friction and an engine, away from every kink of their laws.
struct SlippingRig {
  Model model = buildModel(rollingRig());
  State state = initialState(model).state;
  std::vector<BodyMotion> motions;
  std::vector<double> internal_states;
  std::vector<double> input{0.3, 0.2, 1.5};

  SlippingRig() {
    for (int i = 0; i < model.bodyCount(); ++i) {
      motions.push_back(bodyMotion(state.view(), i));
      BodyMotion& motion = motions.back();
      motion.r += Vector3d(0.21, 0.03, -0.001);
      motion.R = Eigen::AngleAxisd(0.02, Vector3d(0.6, 0, 0.8)).toRotationMatrix() * motion.R;
      motion.v += Vector3d(0, 0.1, 0);
      motion.omega_w += 0.3 * Vector3d(0.1, i, 0.05);
    }
    internal_states.assign(static_cast<std::size_t>(model.internal_states), 0.0);
    beginInternalStates(model, motions.data(), state.view().jointDisplacements(), internal_states.data());
    for (const int k : integratedInternalStates(model)) internal_states[static_cast<std::size_t>(k)] += 5e-5;
  }

  ElementInput elementInput() const { return {state.view().jointDisplacements(), internal_states.data(), input, 0}; }

  /// Loads of all bodies, six each, then the rates of the internal states.
  Eigen::VectorXd outcome() const {
    ElementStates elements(model);
    evaluateElements(model, motions.data(), elementInput(), elements);
    std::vector<Load> loads(motions.size());
    addElementLoads(model, elements, motions.data(), loads.data());
    const std::vector<double> rates = internalStateRates(model, elements, internal_states.data());
    Eigen::VectorXd all(static_cast<Eigen::Index>(6 * loads.size() + rates.size()));
    auto at = all.begin();
    for (const Load& load : loads) at = std::copy_n(load.torque.data(), 3, std::copy_n(load.force.data(), 3, at));
    std::copy(rates.begin(), rates.end(), at);
    return all;
  }

  /// Column of the derivative by a value that `vary` changes: a difference of sixth order, whose step is so long that
  /// round-off does not matter and whose own error falls with the seventh derivative.
  Eigen::VectorXd slope(double step, const std::function<void(double)>& vary) {
    const auto at = [&](int k) {
      const auto kept = std::tuple(motions, internal_states);
      vary(k * step);
      const Eigen::VectorXd value = outcome();
      std::tie(motions, internal_states) = kept;
      return value;
    };
    return (45 * (at(1) - at(-1)) - 9 * (at(2) - at(-2)) + (at(3) - at(-3))) / (60 * step);
  }
};

/// The same matrix from the derivatives under test: columns by position and rotation, velocity and angular velocity of
/// each body (twelve each), then by internal state.
Eigen::MatrixXd matrixOf(const SlippingRig& rig, const ElementDerivatives& d) {
  const Eigen::Index bodies = static_cast<Eigen::Index>(rig.motions.size()), states = rig.model.internal_states;
  Eigen::MatrixXd D = Eigen::MatrixXd::Zero(6 * bodies + states, 12 * bodies + states);
  for (const BodyLoadDerivative& load : d.loads) {
    D.block<6, 6>(6 * load.loaded, 12 * load.moved) += load.by_position;
    D.block<6, 6>(6 * load.loaded, 12 * load.moved + 6) += load.by_velocity;
  }
  for (const auto& load : d.loads_by_internal_state)
    D.block<6, 1>(6 * load.loaded, 12 * bodies + load.internal_state) += load.value;
  for (const auto& rate : d.rates_by_motion) {
    D.block<1, 6>(6 * bodies + rate.internal_state, 12 * rate.moved) += rate.by_position.transpose();
    D.block<1, 6>(6 * bodies + rate.internal_state, 12 * rate.moved + 6) += rate.by_velocity.transpose();
  }
  for (const auto& rate : d.rates_by_internal_state)
    D(6 * bodies + rate.internal_state, 12 * bodies + rate.by) += rate.value;
  return D;
}

}  // namespace

// The only derivatives of the offline methods that are not exact (rt/doc/offline.md, section 1).
TEST_CASE("derivatives of tyres, friction, brakes and powertrains are exact to eight digits",
          "[rt][mechanics][elements]") {
  SlippingRig rig;
  const Eigen::MatrixXd D = matrixOf(rig, differentiateElements(rig.model, rig.motions.data(), rig.elementInput()));
  const Eigen::Index bodies = static_cast<Eigen::Index>(rig.motions.size()), rows = 6 * bodies;
  Eigen::MatrixXd exact = Eigen::MatrixXd::Zero(D.rows(), D.cols());
  for (Eigen::Index b = 0; b < bodies; ++b)
    for (int direction = 0; direction < 12; ++direction) {
      BodyMotion& motion = rig.motions[static_cast<std::size_t>(b)];
      const Vector3d unit = Vector3d::Unit(direction % 3);
      exact.col(12 * b + direction) = rig.slope(direction < 6 ? 2e-5 : 2e-4, [&](double by) {
        switch (direction / 3) {
          case 0: motion.r += by * unit; break;
          case 1: motion.R = Eigen::AngleAxisd(by, unit).toRotationMatrix() * motion.R; break;
          case 2: motion.v += by * unit; break;
          default: motion.omega_w += by * unit;
        }
      });
    }
  for (const int k : integratedInternalStates(rig.model))
    exact.col(12 * bodies + k) =
        rig.slope(2e-6, [&](double by) { rig.internal_states[static_cast<std::size_t>(k)] += by; });
  // Each part against its largest entry: of loads and of rates, by motion and by internal state.
  const auto error = [&](Eigen::Index row, Eigen::Index height, Eigen::Index column, Eigen::Index width) {
    const Eigen::MatrixXd is = D.block(row, column, height, width), shall = exact.block(row, column, height, width);
    REQUIRE(shall.cwiseAbs().maxCoeff() > 0);
    return (is - shall).cwiseAbs().maxCoeff() / shall.cwiseAbs().maxCoeff();
  };
  const Eigen::Index moved = 12 * bodies, states = rig.model.internal_states;
  CHECK(error(0, rows, 0, moved) < 1e-8);
  CHECK(error(0, rows, moved, states) < 1e-8);
  CHECK(error(rows, states, 0, moved) < 1e-8);
  CHECK(error(rows, states, moved, states) < 1e-8);
}
