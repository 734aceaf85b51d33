// Covers: rt/ali3p/trapezoidal_step.h, rt/ali3p/solver.h, rt/ali3p/level.h, rt/ali3p/step_end.cpp, rt/ali3p/workspace.cpp
// Covers: rt/ali3p/tree/solver.cpp, rt/ali3p/tree/workspace.cpp, rt/ali3p/tree/commit.cpp, rt/ali3p/tree/project.cpp
#include "rt/ali3p/step.h"
#include "rt/ali3p/compile_plan.h"
#include "rt/ali3p/workspace.h"
#include "rt/model/model.h"
#include "rt/plan/plan.h"

#include "rt/mechanics/energy.h"
#include "rt/mechanics/initial_state.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

using namespace tactus::rt;
using namespace tactus::tests;

namespace {

struct Run {
  Model model;
  Plan plan;
  Settings settings;
  State state;
  Workspace ws;
  std::vector<double> input;

  Run(const ModelSpec& spec, std::int64_t period_ns, int iterations = 0)
      : model(buildModel(spec)),
        plan(compilePlan(model)),
        settings(chooseSettings(model, period_ns, iterations)),
        state(initialState(model).state),
        ws(model, plan),
        input(model.actuators.size(), 0.0) {}

  StepReport advance() { return step(model, plan, settings, input, state, ws); }
};

}  // namespace

TEST_CASE("a step satisfies the constraints at all three levels", "[rt][ali3p]") {
  for (const ModelSpec& spec : {doublePendulum(), fourBar(FourBarReading::kUp), randomTree(8, JointMix::kMixed, 4),
                                randomLoop(6, 2, 5), ladder(3), hubWithLoops(3, 2)}) {
    Run run(spec, 1'000'000);
    for (int k = 0; k < 500; ++k) {
      const StepReport report = run.advance();
      INFO(spec.name << " step " << k);
      REQUIRE(report.status == TickStatus::kOk);
      REQUIRE(report.converged);
      // Round-off of coordinates and rates of order 10; below 5e-11 seen.
      REQUIRE(report.constraint_position < 1e-9);
      REQUIRE(report.constraint_velocity < 1e-9);
      // One pass with a frozen factor: relative to accelerations of order 10 to 100; 4e-7 seen.
      REQUIRE(report.constraint_acceleration < 1e-4);
    }
  }
}

TEST_CASE("the reported reactions and accelerations satisfy the equations of motion", "[rt][ali3p]") {
  Run run(randomTree(6, JointMix::kHinged, 11), 1'000'000, 3);
  for (int k = 0; k < 50; ++k) REQUIRE(run.advance().status == TickStatus::kOk);
  // Newton's equation of the whole: sum of m a = sum of gravity and of the reaction at ground.
  const StateView s = run.state.view();
  Vector3d sum = Vector3d::Zero();
  for (int i = 0; i < run.model.bodyCount(); ++i)
    sum += run.model.bodies[static_cast<std::size_t>(i)].mass * (Vector3d(s.a(i)) - run.model.gravity);
  std::vector<BodyMotion> motions;
  for (int i = 0; i < run.model.bodyCount(); ++i) motions.push_back(bodyMotion(s, i));
  Vector3d reaction = Vector3d::Zero();
  for (int j = 0; j < run.model.jointCount(); ++j)
    if (run.model.joints[static_cast<std::size_t>(j)].body_1 == kGround)
      reaction += reactionOnBody2(run.model, j, motions.data(), s.lambda()).force;
  // What three iterations a step may leave, relative to the weight; below 5e-11 seen.
  CHECK((sum - reaction).norm() < 1e-6 * (1 + sum.norm()));
}

TEST_CASE("a free body keeps its momentum and a fast gyroscopic spin its energy", "[rt][ali3p]") {
  ModelSpec spec = freeBody(5);
  spec.gravity = Vector3d::Zero();
  Run run(spec, 1'000'000, 3);
  const Vector3d v = run.state.v(0);
  const Energy before = energyOf(run.model, run.state.view());
  const auto momentum = [&] {
    return Vector3d(rotationMatrix(run.state.p(0)) * (run.model.bodies[0].inertia * Vector3d(run.state.omega(0))));
  };
  const Vector3d l = momentum();
  for (int k = 0; k < 5000; ++k) REQUIRE(run.advance().status == TickStatus::kOk);
  // Nothing acts: 5000 sums of zero leave the velocity as it is, but for round-off.
  CHECK((Vector3d(run.state.v(0)) - v).norm() < 1e-12);
  // Second order: 5 s at 1 ms leave about (dt omega)^2 relative.
  CHECK((momentum() - l).norm() < 1e-4 * l.norm());
  CHECK(energyOf(run.model, run.state.view()).total == Approx(before.total).epsilon(1e-4));
}

TEST_CASE("a step that is not finite leaves the state untouched", "[rt][ali3p]") {
  ModelSpec spec = doublePendulum();
  ActuatorSpec push;
  push.name = "push";
  push.kind = BodyForceSpec{spec.bodies[0].name, Vector3d::Zero(), Vector3d::UnitX(), Frame::kWorld};
  spec.actuators.push_back(push);
  Run run(spec, 1'000'000);
  REQUIRE(run.advance().status == TickStatus::kOk);
  const std::uint64_t before = hashState(run.state);
  for (const double poison :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e308}) {
    run.input[0] = poison;
    const StepReport report = run.advance();
    CHECK(report.status != TickStatus::kOk);
    CHECK_FALSE(report.converged);
    CHECK(hashState(run.state) == before);
  }
  run.input[0] = 0;
  CHECK(run.advance().status == TickStatus::kOk);
  CHECK(run.state.tick == 2);
}

TEST_CASE("work of an actuator accounts for the change of energy", "[rt][ali3p]") {
  ModelSpec spec = fourBar(FourBarReading::kDown);
  ActuatorSpec motor;
  motor.name = "motor";
  motor.kind = JointTorqueSpec{"joint_1"};
  spec.actuators.push_back(motor);
  const auto drift = [&](std::int64_t period_ns, int steps) {
    Run run(spec, period_ns);
    const double start = energyOf(run.model, run.state.view()).total;
    for (int k = 0; k < steps; ++k) {
      // Sine at the end of each step: the signal that the trapezoidal rule samples.
      run.input[0] = 5 * std::sin(3 * run.settings.dt() * static_cast<double>(k + 1));
      REQUIRE(run.advance().status == TickStatus::kOk);
    }
    CHECK(std::abs(energyOf(run.model, run.state.view()).input) > 0.5);  // there is work to account for: 3 J seen
    return std::abs(energyOf(run.model, run.state.view()).total - start);
  };
  const double coarse = drift(10'000'000, 200), fine = drift(5'000'000, 400);
  CHECK(coarse < 2e-3);        // J of 3 J: four times what is seen
  CHECK(fine < 0.3 * coarse);  // second order: a quarter for half the step
}

TEST_CASE("angles of hinges unwrap over many turns and follow their rates", "[rt][ali3p]") {
  ModelSpec spec = fourBar(FourBarReading::kDown);
  spec.gravity = Vector3d::Zero();
  ActuatorSpec motor;
  motor.name = "motor";
  motor.kind = JointTorqueSpec{"joint_1"};
  spec.actuators.push_back(motor);
  Run run(spec, 1'000'000);
  run.input[0] = 20;
  double angle = run.state.jointDisplacements()[0], integral = angle;
  for (int k = 0; k < 4000; ++k) {
    REQUIRE(run.advance().status == TickStatus::kOk);
    std::vector<BodyMotion> motions;
    for (int i = 0; i < run.model.bodyCount(); ++i) motions.push_back(bodyMotion(run.state.view(), i));
    integral += 1e-3 * jointRate(run.model.joints[0], motions.data());
    CHECK(std::abs(run.state.jointDisplacements()[0] - angle) < 1.0);  // no jump by a turn; 0.023 rad a step seen
    angle = run.state.jointDisplacements()[0];
  }
  CHECK(std::abs(angle) > 20);  // several turns
  // The sum of the rates is of first order in the step: 3e-4 of the angle seen.
  CHECK(angle == Approx(integral).epsilon(2e-3));
}

TEST_CASE("full Newton and a frozen tangent meet at convergence", "[rt][ali3p]") {
  Run frozen(randomTree(6, JointMix::kMixed, 9), 1'000'000, 8);
  Run full(randomTree(6, JointMix::kMixed, 9), 1'000'000, 8);
  full.settings.full_newton = true;
  for (int k = 0; k < 100; ++k) {
    REQUIRE(frozen.advance().status == TickStatus::kOk);
    REQUIRE(full.advance().status == TickStatus::kOk);
  }
  // Eight iterations bring both to round-off, below 5e-11 seen; the bound leaves room for the stop of the iteration.
  for (int i = 0; i < frozen.model.bodyCount(); ++i)
    CHECK((Vector3d(frozen.state.r(i)) - Vector3d(full.state.r(i))).norm() < 1e-8);
}
