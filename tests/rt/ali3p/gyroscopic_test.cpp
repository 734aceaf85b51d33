// The gyroscopic part of the tangent: derivatives, what it gains, and when it is formed.
#include "rt/mechanics/gyroscopic.h"

#include "rt/ali3p/tree/residual.h"
#include "rt/ali3p/tree/tangent.h"
#include "rt/ali3p/tree/trapezoid.h"
#include "rt/mechanics/initial_state.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"
#include "tests/support/simulation.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace tactus;
using namespace tactus::tests;
using rt::Matrix3d;
using rt::Vector3d;

namespace {

constexpr double kDt = 1e-2;

/// One free body, no gravity.
rt::ModelSpec spinningBody(const Vector3d& inertia, const Vector3d& omega) {
  rt::ModelSpec spec;
  spec.name = "spinning";
  spec.gravity = Vector3d::Zero();
  spec.bodies.push_back(makeBody("top", Vector3d::Zero()));
  spec.bodies.back().inertia = inertia.asDiagonal();
  spec.bodies.back().angular_velocity = omega;
  return spec;
}

/// A workspace at the predictor of a step.
rt::Workspace predicted(const rt::Model& model, const rt::Plan& plan, double dt) {
  rt::Workspace ws(model, plan);
  rt::predict(model, dt, rt::initialState(model).state, ws);
  return ws;
}

/// Turns the only body of the iterate.
void turn(const rt::Model& model, double dt, const Vector3d& by, rt::Workspace& ws) {
  std::fill(ws.unknowns.begin(), ws.unknowns.end(), 0.0);
  for (int k = 0; k < 3; ++k) ws.unknowns[static_cast<std::size_t>(3 + k)] = by[k];
  rt::applyIncrement(model, dt, ws);
}

/// Column by column, central differences of what `value` finds in the iterate.
template <class Value>
Matrix3d differenceQuotient(const rt::Model& model, double dt, const rt::Workspace& at, double h, Value&& value) {
  Matrix3d derivative;
  const rt::Plan plan = rt::compilePlan(model);
  for (int k = 0; k < 3; ++k) {
    Vector3d found[2];
    for (int side = 0; side < 2; ++side) {
      rt::Workspace ws(model, plan);
      ws.motions = at.motions;
      ws.rotations = at.rotations;
      turn(model, dt, (side == 0 ? h : -h) * Vector3d::Unit(k), ws);
      found[side] = value(ws);
    }
    derivative.col(k) = (found[0] - found[1]) / (2 * h);
  }
  return derivative;
}

/// Ratio of the last two increments of a step.
double lastContraction(const rt::ModelSpec& spec, double dt, int iterations, bool gyroscopic) {
  const rt::Model model = rt::buildModel(spec);
  const rt::Plan plan = rt::compilePlan(model);
  rt::Settings settings = settingsFor(dt, iterations);
  settings.gyroscopic_tangent = gyroscopic;
  settings.refactor_above = 1e6;
  rt::Workspace ws(model, plan);
  rt::State state = rt::initialState(model).state;
  const rt::StepReport report = rt::step(model, plan, settings, {}, state, ws);
  REQUIRE(report.status == rt::TickStatus::kOk);
  return report.contraction;
}

}  // namespace

TEST_CASE("rates of rotation that the trapezoidal rule gives are differentiated", "[rt][ali3p]") {
  const rt::Model model = rt::buildModel(spinningBody({0.3, 0.7, 0.5}, {40, -25, 60}));
  const rt::Plan plan = rt::compilePlan(model);
  rt::Workspace ws = predicted(model, plan, kDt);
  turn(model, kDt, {0.02, -0.03, 0.01}, ws);  // away from where the predictor is
  const rt::RotationRateDerivatives exact = rt::differentiateRotationRates(kDt, ws.rotations[0], ws.motions[0]);
  const Matrix3d omega =
      differenceQuotient(model, kDt, ws, 1e-5, [](const rt::Workspace& w) { return w.motions[0].omega_w; });
  const Matrix3d alpha =
      differenceQuotient(model, kDt, ws, 1e-5, [](const rt::Workspace& w) { return w.motions[0].alpha_w; });
  CHECK((exact.omega - omega).norm() < 1e-7 * omega.norm());
  CHECK((exact.alpha - alpha).norm() < 1e-7 * alpha.norm());
}

TEST_CASE("the tangent of a spinning body is the derivative of its residual", "[rt][ali3p]") {
  rt::ModelSpec hung = spinningBody({0.3, 0.7, 0.5}, {40, -25, 60});
  hung.joints.push_back(makeJoint("pivot", "ground", "top", rt::SphericalSpec{{0.1, 0.2, -0.3}, {0.1, 0.2, -0.3}}));
  hung.bodies.back().velocity = -Vector3d(40, -25, 60).cross(Vector3d(0.1, 0.2, -0.3));
  for (const rt::ModelSpec& spec : {spinningBody({0.3, 0.7, 0.5}, {40, -25, 60}), hung}) {
    CAPTURE(spec.joints.size());
    const rt::Model model = rt::buildModel(spec);
    const rt::Plan plan = rt::compilePlan(model);
    rt::Workspace ws = predicted(model, plan, kDt);
    turn(model, kDt, {0.02, -0.03, 0.01}, ws);
    for (std::size_t row = 0; row < ws.lambda.size(); ++row) ws.lambda[row] = 300.0 - 450.0 * static_cast<double>(row);
    rt::evaluateIterate(model, {}, ws);
    rt::Settings settings = settingsFor(kDt);
    settings.gyroscopic_tangent = true;
    CHECK(rt::formTangent(model, kDt, settings, ws) == 0);
    REQUIRE(ws.unsymmetric);
    const Matrix3d difference = differenceQuotient(model, kDt, ws, 1e-5, [&](rt::Workspace& w) -> Vector3d {
      w.lambda = ws.lambda;
      rt::evaluateIterate(model, {}, w);
      rt::bodyRightSide(model, w);
      return -Vector3d(w.unknowns[3], w.unknowns[4], w.unknowns[5]);
    });
    const Matrix3d exact = ws.tangents[0].turning / (0.25 * kDt * kDt);
    CHECK((exact - difference).norm() < 1e-7 * exact.norm());
    // Of the symmetric tangent the same cannot be said.
    CHECK((ws.tangents[0].J_hat / (0.25 * kDt * kDt) - difference).norm() > 0.05 * exact.norm());
  }
}

TEST_CASE("what an iteration without the gyroscopic part leaves is known beforehand", "[rt][ali3p]") {
  // A symmetric top, C about its axis: (dt/2) omega |C - A| / A.
  const rt::Model top = rt::buildModel(spinningBody({0.5, 0.5, 0.8}, {0, 0, 50}));
  CHECK(rt::gyroscopicContraction(top.bodies[0], {0, 0, 50}, kDt) == Approx(0.5 * kDt * 50 * 0.3 / 0.5));
  CHECK(rt::gyroscopicContraction(top.bodies[0], {0, 0, 0}, kDt) == 0);
  const rt::Model ball = rt::buildModel(spinningBody({0.5, 0.5, 0.5}, {30, 20, 50}));
  CHECK(rt::gyroscopicContraction(ball.bodies[0], {30, 20, 50}, kDt) < 1e-9);
  CHECK(rt::largestGyroscopicContraction(top, kDt) == Approx(0.15));
  // And found in a step of a wobbling top. With the part only the change of the tangent since the predictor is left.
  const rt::ModelSpec wobbling = spinningBody({0.5, 0.5, 0.8}, {3, 1, 50});
  CHECK(lastContraction(wobbling, kDt, 5, false) == Approx(0.15).epsilon(0.3));
  CHECK(lastContraction(wobbling, kDt, 2, true) < 0.01);
}

TEST_CASE("both tangents lead to the same positions", "[rt][ali3p]") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed)
    for (const rt::ModelSpec& spec :
         {randomChain(4, 40, seed), randomLoop(5, 2, seed), star(6, JointMix::kMixed, true, seed)}) {
      CAPTURE(spec.name, seed);
      const rt::Model model = rt::buildModel(spec);
      const rt::Plan plan = rt::compilePlan(model);
      rt::Workspace ws(model, plan);
      rt::State found[2];
      for (const bool gyroscopic : {false, true}) {
        rt::Settings settings = settingsFor(1e-3, 12);
        settings.gyroscopic_tangent = gyroscopic;
        found[gyroscopic] = rt::initialState(model).state;
        REQUIRE(rt::step(model, plan, settings, {}, found[gyroscopic], ws).status == rt::TickStatus::kOk);
      }
      for (int i = 0; i < model.bodyCount(); ++i) {
        CHECK((found[0].r(i) - found[1].r(i)).norm() < 1e-12);
        CHECK((found[0].p(i) - found[1].p(i)).norm() < 1e-12);
        // The projections are in the metric of the tangent.
        CHECK((found[0].v(i) - found[1].v(i)).norm() < 1e-4);
      }
    }
}

TEST_CASE("settings ask for the gyroscopic tangent where a body spins fast for the period", "[rt][ali3p]") {
  rt::ModelSpec spec = spinningBody({0.5, 0.5, 0.8}, {0, 0, 50});
  CHECK(rt::chooseSettings(rt::buildModel(spec), 10'000'000).gyroscopic_tangent);
  CHECK_FALSE(rt::chooseSettings(rt::buildModel(spec), 1'000'000).gyroscopic_tangent);
  spec.solver.gyroscopic_tangent = false;
  CHECK_FALSE(rt::chooseSettings(rt::buildModel(spec), 10'000'000).gyroscopic_tangent);
  spec.solver.gyroscopic_tangent = true;
  CHECK(rt::chooseSettings(rt::buildModel(spec), 1'000'000).gyroscopic_tangent);
}
