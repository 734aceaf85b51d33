#include "rt/loop/energy_watch.h"

#include "rt/ali3p/compile_plan.h"
#include "rt/loop/tick_loop.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/plan/plan.h"
#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <thread>

using namespace tactus;
using namespace tactus::rt;

namespace {

/// A mass on a rail and a spring that turns by 1.5 rad in a step of 10 ms: a step of third order adds energy to it.
struct Oscillator {
  explicit Oscillator(bool third_order = true, double stiffness = 2.25e4)
      : model(buildModel(specOf(stiffness))), plan(compilePlan(model)), initial(initialState(model).state) {
    settings.period_ns = 10'000'000;
    settings.third_order = third_order;  // which set-up refuses here
  }

  static ModelSpec specOf(double stiffness) {
    ModelSpec spec;
    spec.name = "oscillator";
    spec.gravity = Vector3d::Zero();
    spec.bodies = {tests::makeBody("mass", {0.05, 0, 0})};
    PrismaticSpec rail;
    rail.axis_1 = rail.axis_2 = {1, 0, 0};
    spec.joints = {tests::makeJoint("rail", kGroundName, "mass", rail)};
    TranslationalSpringSpec coil;
    coil.body_1 = kGroundName;
    coil.body_2 = "mass";
    coil.point_1 = {-10, 0, 0};
    coil.stiffness = stiffness;
    coil.free_length = 10;
    spec.forces = {{"coil", "", coil}};
    return spec;
  }

  Model model;
  Plan plan;
  Settings settings;
  State initial;
};

}  // namespace

TEST_CASE("a loop whose energy grows without an input says since when, until a reset", "[rt][loop]") {
  const Oscillator o;
  TickLoop loop(o.model, o.plan, o.settings, o.initial);
  while (!loop.energy().grows() && loop.state().tick < 400) loop.tick();
  const EnergyReport report = loop.energy().report();
  REQUIRE(report.grows_since == loop.state().tick);
  CHECK(report.grows_since % EnergyWatch::kEvery == 0);
  CHECK(report.growth > EnergyBalance::kReported * report.scale);
  CHECK(report.drift == Approx(report.growth));
  loop.tick();
  CHECK(loop.energy().report().grows_since == report.grows_since);
  loop.reset(o.initial);
  CHECK_FALSE(loop.energy().grows());
  CHECK(loop.energy().report().growth == 0);
}

TEST_CASE("a stable loop does not report a growth of energy", "[rt][loop]") {
  const Oscillator o(false);
  TickLoop loop(o.model, o.plan, o.settings, o.initial);
  while (loop.state().tick < 400) loop.tick();
  CHECK_FALSE(loop.energy().grows());
  CHECK(loop.energy().report().scale > 1);  // J: it swings with 28 J
}

TEST_CASE("a stiffer spring from one tick to the next is no growth of energy", "[rt][loop]") {
  const Oscillator o(false, 10.0);
  const auto stiff = std::make_shared<const Model>(buildModel(Oscillator::specOf(1e4)));
  CompiledModel next(stiff, 1, 1);
  TickLoop loop(o.model, o.plan, o.settings, o.initial);
  while (loop.state().tick < 30) loop.tick();
  loop.models().offer(next);
  while (loop.state().tick < 400) loop.tick();
  CHECK(loop.energy().report().scale > 1);  // J: of 0.0125 J with the soft spring
  CHECK_FALSE(loop.energy().grows());
}

TEST_CASE("a model that is exchanged while no tick runs is no growth of energy", "[rt][loop]") {
  const Oscillator o(false, 10.0);
  CompiledModel next(std::make_shared<const Model>(buildModel(Oscillator::specOf(1e4))), 1, 1);
  TickLoop loop(o.model, o.plan, o.settings, o.initial);
  while (loop.state().tick < 30) loop.tick();
  loop.setModel(&next);
  while (loop.state().tick < 400) loop.tick();
  CHECK_FALSE(loop.energy().grows());
}

TEST_CASE("a tick in which the energy begins to grow, or that enters the safe state, wakes who waits for an alert",
          "[rt][loop]") {
  const Oscillator o;
  TickLoop loop(o.model, o.plan, o.settings, o.initial);
  const std::uint32_t seen = loop.alerts();
  CHECK(loop.waitAlert(seen, std::chrono::milliseconds(1)) == seen);
  std::uint32_t woken = seen;
  std::thread waiting([&] { woken = loop.waitAlert(seen, std::chrono::hours(1)); });
  while (!loop.energy().grows() && loop.state().tick < 400) loop.tick();
  waiting.join();
  CHECK(woken == seen + 1);
  // Without a wait in between: an alert that came before is not slept through.
  loop.wakeAlerted();
  CHECK(loop.waitAlert(woken, std::chrono::hours(1)) == woken + 1);
}
