// Covers: rt/ali3p/constraint_norms.cpp
#include "rt/loop/tick_loop.h"
#include "tests/rt/loop/loop_mechanism.h"
#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

using namespace tactus::rt;
using tactus::tests::chain;
using tactus::tests::doublePendulum;
using tactus::tests::fourBar;
using tactus::tests::FourBarReading;
using tactus::tests::LoopMechanism;
using tactus::tests::newest;

namespace {

LoopOptions scripted() {
  LoopOptions options;
  for (std::int64_t tick = 1; tick < 60; tick += 7)
    options.script.push_back({tick, {std::sin(static_cast<double>(tick)), 0.5}});
  options.stop_tick = 60;
  return options;
}

}  // namespace

TEST_CASE("a restored loop continues as if it had never stopped", "[rt][loop]") {
  LoopMechanism m;
  TickLoop straight(m.model, m.plan, m.settings, m.initial, scripted());
  TickLoop first(m.model, m.plan, m.settings, m.initial, scripted());
  TickLoop other(m.model, m.plan, m.settings, m.initial, scripted());
  for (int i = 0; i < 25; ++i) first.tick();
  for (int i = 0; i < 60; ++i) other.tick();
  CHECK(other.finished());

  // Back in time: the script too, and the end is ahead again.
  ActuatorInput waiting(m.model);
  waiting.sequence = 9;
  other.inputs().offer(waiting);
  other.restore(newest(first));
  CHECK_FALSE(other.finished());
  CHECK(newest(other).header.tick == 25);
  CHECK(newest(other).header.input_first_tick == newest(first).header.input_first_tick);
  for (int i = 0; i < 50; ++i) straight.tick();
  for (int i = 0; i < 25; ++i) other.tick();
  CHECK(hashState(other.state()) == hashState(straight.state()));
  CHECK(newest(other).inputs == newest(straight).inputs);
  CHECK(hashState(newest(other).header.tick, newest(other).state) == hashState(other.state()));
}

TEST_CASE("the epoch of a publication counts how often the state was set", "[rt][loop]") {
  LoopMechanism m;
  TickLoop loop(m.model, m.plan, m.settings, m.initial);
  CHECK(newest(loop).header.epoch == 1);
  loop.tick();
  CHECK(newest(loop).header.epoch == 1);
  loop.restore(newest(loop));
  CHECK(newest(loop).header.epoch == 2);
  loop.tick();
  loop.reset(m.initial);
  CHECK(newest(loop).header.epoch == 3);
}

TEST_CASE("a state that was set has constraint norms of its own, and figures of the solver only after a step",
          "[rt][loop]") {
  // With the number of joints of the last body.
  for (const auto& [spec, joints] :
       {std::pair{doublePendulum(), 1}, {chain(64), 1}, {fourBar(FourBarReading::kDown), 2}}) {
    const Model model = buildModel(spec);
    const Plan plan = compilePlan(model);
    const Settings settings = chooseSettings(model);
    CAPTURE(spec.name, plan.chain.has_value());
    State pulled = initialState(model).state;
    TickLoop loop(model, plan, settings, pulled);
    const StepReport start = newest(loop).header.report;
    CHECK(std::max(start.constraint_position, start.constraint_velocity) < 1e-12);  // round-off of 64 rows of 1 m
    CHECK(start.constraint_acceleration < 1e-6);  // the relative compliance of 1e-9 lets the joints give way

    // The rows of the point of each joint are as long as the vectors added here.
    const int last = model.bodyCount() - 1;
    const double times = std::sqrt(joints);
    pulled.r(last) += Vector3d(0, 3e-4, 4e-4);
    pulled.v(last) += Vector3d(0.03, 0, 0.04);
    pulled.a(last) += Vector3d(0.3, 0.4, 0);
    const auto check = [&, times](const TickLoop& of) {
      const StepReport report = newest(of).header.report;
      CHECK(std::abs(report.constraint_position - times * 5e-4) < 1e-12);  // as above
      CHECK(std::abs(report.constraint_velocity - times * 0.05) < 1e-12);
      CHECK(std::abs(report.constraint_acceleration - times * 0.5) < 1e-6);
      CHECK(report.residual + report.increment + report.contraction + report.factorizations == 0);
    };
    loop.reset(pulled);
    check(loop);
    const Snapshot saved = newest(loop);
    CHECK(loop.tick() == TickStatus::kOk);
    CHECK(newest(loop).header.report.factorizations > 0);
    loop.restore(saved);
    check(loop);
    loop.tick();
    loop.restore(pulled, loop.inputState());
    check(loop);
    check(TickLoop(model, plan, settings, pulled));
  }
}

TEST_CASE("the constraint norms of a restored state are those of the step that reached it", "[rt][loop]") {
  ModelSpec spec = fourBar(FourBarReading::kDown);
  DriveSpec drive;
  drive.name = "crank";
  drive.target = DrivenAngleSpec{"joint_1"};
  drive.function = HarmonicSpec{0, 0.4, 3, 0};
  spec.drives.push_back(drive);
  spec.bodies[0].angular_velocity = Vector3d::Zero();
  spec.assembly.velocity = 10;
  const Model model = buildModel(spec);
  const Plan plan = compilePlan(model);
  Settings settings = chooseSettings(model);
  // Steps that leave a violation.
  settings.iterations = settings.velocity_passes = 1;
  settings.period_ns = 20'000'000;
  TickLoop loop(model, plan, settings, initialState(model).state);
  for (int i = 0; i < 25; ++i) REQUIRE(loop.tick() == TickStatus::kOk);
  const StepReport step = newest(loop).header.report;
  loop.restore(newest(loop));
  const StepReport restored = newest(loop).header.report;
  // Above round-off, so that zeros would be seen.
  CHECK(step.constraint_position > 1e-12);
  CHECK(step.constraint_velocity > 1e-11);
  CHECK(step.constraint_acceleration > 1e-9);
  // Round-off of rows of 1 m, 1 m/s and 10 m/s^2. A drive at the time of another tick would be off by 0.02 rad.
  CHECK(std::abs(restored.constraint_position - step.constraint_position) < 1e-13);
  CHECK(std::abs(restored.constraint_velocity - step.constraint_velocity) < 1e-13);
  CHECK(std::abs(restored.constraint_acceleration - step.constraint_acceleration) < 1e-12);
}

TEST_CASE("the frame of a fault has the constraint norms of the state that it shows", "[rt][loop]") {
  ModelSpec spec = fourBar(FourBarReading::kDown);
  spec.actuators = tactus::tests::pushedBody().actuators;
  spec.actuators.resize(1);
  std::get<BodyForceSpec>(spec.actuators[0].kind).body = spec.bodies[1].name;
  spec.actuators[0].on_loss.action = LossAction::kFault;
  const Model model = buildModel(spec);
  const Plan plan = compilePlan(model);
  Settings settings = chooseSettings(model);
  // Steps that leave a violation.
  settings.iterations = settings.velocity_passes = 1;
  settings.period_ns = 20'000'000;
  LoopOptions options;
  options.miss_limit = 25;
  TickLoop loop(model, plan, settings, initialState(model).state, options);
  ActuatorInput push(model);
  push.sequence = 1;
  loop.inputs().offer(push);
  for (int i = 0; i < 25; ++i) REQUIRE(loop.tick() == TickStatus::kOk);
  const StepReport step = newest(loop).header.report;
  REQUIRE(loop.tick() == TickStatus::kInputLost);
  const StepReport fault = newest(loop).header.report;
  // Above round-off, so that zeros would be seen; the bounds are the round-off of the case above.
  CHECK(step.constraint_position > 1e-12);
  CHECK(std::abs(fault.constraint_position - step.constraint_position) < 1e-13);
  CHECK(std::abs(fault.constraint_velocity - step.constraint_velocity) < 1e-13);
  CHECK(std::abs(fault.constraint_acceleration - step.constraint_acceleration) < 1e-12);
  CHECK(fault.factorizations == 0);
}
