// Slender, anisotropic, fast spinning bodies at large steps: what a step says about its own convergence has to be true.
// Covers: rt/ali3p/monitor.cpp
#include "rt/ali3p/compile_plan.h"
#include "rt/ali3p/workspace.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"
#include "tests/support/simulation.h"

#include <catch2/catch.hpp>

#include <utility>

using namespace tactus;
using namespace tactus::tests;

namespace {

constexpr double kSpin = 100;     ///< rad/s
constexpr double kHonest = 1e-5;  ///< what a converged step may be off by, m and of Euler parameters

struct Outcome {
  int steps = 0, converged = 0;
  double worst = 0;   ///< of the steps that say that they have converged
  int pretended = 0;  ///< say so, where twenty full Newton iterations do not converge
};

/// Each step of a run beside the same step with twenty full Newton iterations.
Outcome compareWithFullNewton(const rt::ModelSpec& spec, double dt, int iterations, int steps,
                              bool gyroscopic = false) {
  const rt::Model model = rt::buildModel(spec);
  const rt::Plan plan = rt::compilePlan(model);
  rt::Workspace ws(model, plan);
  rt::Settings settings = settingsFor(dt, iterations), thorough = settings;
  settings.gyroscopic_tangent = gyroscopic;
  settings.gyroscopic_above = thorough.gyroscopic_above = rt::kNeverGyroscopic;
  thorough.iterations = 20;
  thorough.full_newton = true;
  thorough.gyroscopic_tangent = gyroscopic;
  rt::State state = rt::initialState(model).state;
  Outcome outcome;
  for (; outcome.steps < steps; ++outcome.steps) {
    rt::State exact = state;
    const rt::StepReport best = rt::step(model, plan, thorough, {}, exact, ws);
    const rt::StepReport report = rt::step(model, plan, settings, {}, state, ws);
    if (report.status != rt::TickStatus::kOk) break;
    if (!report.converged) continue;
    ++outcome.converged;
    if (best.status != rt::TickStatus::kOk || !best.converged) {
      ++outcome.pretended;
      continue;
    }
    for (int i = 0; i < model.bodyCount(); ++i) {
      outcome.worst = std::max(outcome.worst, (state.r(i) - exact.r(i)).cwiseAbs().maxCoeff());
      outcome.worst = std::max(outcome.worst, (state.p(i) - exact.p(i)).cwiseAbs().maxCoeff());
    }
  }
  return outcome;
}

rt::ModelSpec spinning(double inertia, std::uint64_t seed) {
  rt::ModelSpec spec = randomChain(4, kSpin, seed);
  for (rt::BodySpec& body : spec.bodies) body.inertia *= inertia;
  return spec;
}

}  // namespace

TEST_CASE("spinning, slender, anisotropic bodies converge, or the report says that they do not", "[validation]") {
  for (const double inertia : {1e-4, 1e-3, 1e-2, 1e-1, 1.0})
    for (const double dt : {1e-3, 1e-2})
      for (std::uint64_t seed = 1; seed <= 3; ++seed)
        for (const auto& [iterations, gyroscopic] : {std::pair(2, false), {3, false}, {2, true}, {3, true}}) {
          CAPTURE(inertia, dt, seed, iterations, gyroscopic);
          const Outcome outcome = compareWithFullNewton(spinning(inertia, seed), dt, iterations, 40, gyroscopic);
          CAPTURE(outcome.steps, outcome.converged);
          CHECK(outcome.worst < kHonest);
          CHECK(outcome.pretended == 0);
        }
}

TEST_CASE("at 1 ms and with five iterations bodies of 0.1 kg m^2 and more converge while they spin at 100 rad/s",
          "[validation]") {
  for (const double inertia : {1e-1, 1.0}) {
    CAPTURE(inertia);
    const Outcome outcome = compareWithFullNewton(spinning(inertia, 1), 1e-3, 5, 200);
    CHECK(outcome.steps == 200);
    CHECK(outcome.converged == 200);
  }
}

TEST_CASE("with the gyroscopic part of the tangent many more steps converge in as many iterations", "[validation]") {
  struct Case {
    double inertia, dt;
    int iterations, without, with;  ///< steps of 200: at most, at least
  };
  // Seen: 8 and 131, 184 and 200, 29 and 188, 136 and 178, 20 and 164.
  for (const Case& c : {Case{1, 1e-3, 2, 20, 100},
                        {1, 1e-3, 3, 195, 200},
                        {1, 1e-2, 4, 50, 170},
                        {1e-1, 1e-3, 3, 150, 165},
                        {1e-1, 1e-2, 4, 80, 120}}) {
    CAPTURE(c.inertia, c.dt, c.iterations);
    const Outcome without = compareWithFullNewton(spinning(c.inertia, 1), c.dt, c.iterations, 200, false);
    const Outcome with = compareWithFullNewton(spinning(c.inertia, 1), c.dt, c.iterations, 200, true);
    CHECK(without.converged <= c.without);
    CHECK(with.converged >= c.with);
  }
}

namespace {

/// A rotor on a hinge about z, spinning at `speed`.
rt::ModelSpec rotor(double axial, double speed) {
  rt::ModelSpec spec;
  spec.name = "rotor";
  spec.gravity = rt::Vector3d::Zero();
  rt::BodySpec body = makeBody("rotor", rt::Vector3d::Zero());
  body.inertia = rt::Vector3d(1, 1, axial).asDiagonal();
  body.angular_velocity = {0, 0, speed};
  spec.bodies = {body};
  rt::RevoluteSpec hinge;
  hinge.axis_1 = hinge.axis_2 = {0, 0, 1};
  spec.joints = {makeJoint("hinge", rt::kGroundName, "rotor", hinge)};
  return spec;
}

}  // namespace

TEST_CASE("a rotor that nothing drives keeps its speed, with plain steps and with those of order 3 and 4",
          "[validation]") {
  for (const double axial : {1.0, 1.9})  // a ball, and nearly a disc
    for (const double speed : {150.0, 600.0, 1000.0})
      for (const int order : {2, 3, 4})
        for (const bool on_hinge : {true, false}) {
          CAPTURE(axial, speed, order, on_hinge);
          rt::ModelSpec spec = rotor(axial, speed);
          if (!on_hinge) spec.joints.clear();
          rt::Settings settings = settingsFor(1e-3, 2);
          settings.setOrder(order);
          Simulation run(spec, settings);
          for (int k = 0; k < 5000; ++k) {
            const rt::StepReport report = run.step();
            REQUIRE(report.status == rt::TickStatus::kOk);
            REQUIRE(report.converged);
          }
          // Round-off of 5000 steps.
          CHECK(run.state().view().omega(0).z() == Approx(speed).epsilon(1e-9));
        }
}

TEST_CASE("a spinning rotor at the end of a chain keeps its speed", "[validation]") {
  // Spherical joints at the centers of mass: nothing acts on the last body.
  for (const double speed : {300.0, 1000.0}) {
    CAPTURE(speed);
    rt::ModelSpec spec = rotor(1.0, speed);
    rt::BodySpec carrier = makeBody("carrier", rt::Vector3d::Zero());
    carrier.inertia = rt::Matrix3d::Identity();
    spec.bodies.insert(spec.bodies.begin(), carrier);
    const rt::SphericalSpec ball{rt::Vector3d::Zero(), rt::Vector3d::Zero()};
    spec.joints = {makeJoint("foot", rt::kGroundName, "carrier", ball), makeJoint("neck", "carrier", "rotor", ball)};
    Simulation run(spec, settingsFor(1e-3, 2));
    for (int k = 0; k < 5000; ++k) REQUIRE(run.step().converged);
    CHECK(run.state().view().omega(1).z() == Approx(speed).epsilon(1e-9));  // as above
  }
}
