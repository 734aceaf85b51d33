// Equal models and inputs give equal bits, whatever happened before and however the run was divided.
// Covers: rt/state/state.cpp
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "tests/support/beams.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"
#include "tests/support/simulation.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

using namespace tactus;
using namespace tactus::tests;

namespace {

/// Nine elements of a soft beam of 10 m, clamped and let go.
rt::ModelSpec softBeam() {
  rt::ModelSpec spec = clampedBeam({rt::Vector3d::Zero(), 10 * rt::Vector3d::UnitX()}, 9,
                                   sectionOf(2.8e7, 1e7, 1.4e4, 1.4e4, 1.2, 6e-4));
  spec.gravity = {0, -9.81, 1};
  return spec;
}

std::vector<rt::ModelSpec> mechanisms() {
  return {doublePendulum(),    fourBar(FourBarReading::kDown),
          chain(32),           randomTree(9, JointMix::kMixed, 4),
          randomLoop(6, 3, 5), star(7, JointMix::kHinged, false, 6),
          hubWithLoops(4, 7),  together({fourBar(FourBarReading::kUp), freeBody(20), ladder(3)}),
          rollingRig(),        softBeam()};
}

/// The four-bar with a torque motor in its first joint and a force on its coupler.
rt::ModelSpec drivenFourBar() {
  rt::ModelSpec spec = fourBar(FourBarReading::kDown);
  rt::ActuatorSpec motor, push;
  motor.name = "motor";
  motor.kind = rt::JointTorqueSpec{"joint_1"};
  rt::BodyForceSpec force;
  force.body = "B";
  force.direction = {1, 0, 0};
  push.name = "push";
  push.kind = force;
  spec.actuators = {motor, push};
  return spec;
}

/// Inputs of a tick: any function of the tick alone.
void setInput(Simulation& simulation) {
  const auto tick = static_cast<double>(simulation.state().tick);
  for (std::size_t i = 0; i < simulation.input().size(); ++i) {
    simulation.input()[i] = 3 * std::sin(0.01 * tick * static_cast<double>(i + 1));
  }
}

void advance(Simulation& simulation, int ticks) {
  for (int k = 0; k < ticks; ++k) {
    setInput(simulation);
    REQUIRE(simulation.step().status == rt::TickStatus::kOk);
  }
}

std::uint64_t hashAfter(const rt::ModelSpec& spec, int ticks) {
  Simulation simulation(spec, settingsFor(1e-3));
  advance(simulation, ticks);
  return rt::hashState(simulation.state());
}

}  // namespace

TEST_CASE("two runs with equal inputs end in the same bits", "[determinism]") {
  for (const rt::ModelSpec& spec : mechanisms()) {
    INFO(spec.name);
    CHECK(hashAfter(spec, 500) == hashAfter(spec, 500));
    CHECK(hashAfter(spec, 500) != hashAfter(spec, 501));
  }
}

TEST_CASE("two runs in turn end in the same bits as each of them alone", "[determinism]") {
  for (const rt::ModelSpec& spec : mechanisms()) {
    Simulation one(spec, settingsFor(1e-3)), other(drivenFourBar(), settingsFor(1e-3)), again(spec, settingsFor(1e-3));
    for (int k = 0; k < 200; ++k) {
      advance(one, 1);
      advance(other, 1);
      advance(again, 1);
    }
    CHECK(rt::hashState(one.state()) == rt::hashState(again.state()));
    CHECK(rt::hashState(one.state()) == hashAfter(spec, 200));
  }
}

TEST_CASE("a restored State continues with the same bits, whatever its workspace computed before", "[determinism]") {
  for (const rt::ModelSpec& spec : mechanisms()) {
    INFO(spec.name);
    const std::uint64_t expected = hashAfter(spec, 400);

    // A second simulation takes over in the middle.
    Simulation first(spec, settingsFor(1e-3));
    advance(first, 150);
    const rt::State saved = first.state();
    Simulation second(spec, settingsFor(1e-3));
    second.state() = saved;
    advance(second, 250);
    CHECK(rt::hashState(second.state()) == expected);

    // The first runs on and is then set back.
    advance(first, 777);
    first.state() = saved;
    CHECK(rt::hashState(first.state()) == rt::hashState(saved));
    advance(first, 250);
    CHECK(rt::hashState(first.state()) == expected);
  }
}

TEST_CASE("runs with equal inputs have equal bits, and the smallest difference of an input shows in the next tick",
          "[determinism]") {
  Simulation one(drivenFourBar(), settingsFor(1e-3)), other(drivenFourBar(), settingsFor(1e-3));
  advance(one, 300);
  advance(other, 300);
  CHECK(rt::hashState(one.state()) == rt::hashState(other.state()));

  // The smallest difference of one input shows at once.
  setInput(one);
  other.input() = one.input();
  other.input()[1] = std::nextafter(other.input()[1], 10.0);
  one.step();
  other.step();
  CHECK(rt::hashState(one.state()) != rt::hashState(other.state()));
}

TEST_CASE("a step that is not finite leaves State unchanged, and the run continues with the same bits",
          "[determinism]") {
  Simulation simulation(drivenFourBar(), settingsFor(1e-3));
  advance(simulation, 100);
  const std::uint64_t before = rt::hashState(simulation.state());
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    setInput(simulation);
    simulation.input()[0] = bad;
    CHECK(simulation.step().status == rt::TickStatus::kNonFinite);
    CHECK(rt::hashState(simulation.state()) == before);
  }
  advance(simulation, 100);
  CHECK(rt::hashState(simulation.state()) == hashAfter(drivenFourBar(), 200));
}

TEST_CASE("the initial state is assembled with the same bits each time", "[determinism]") {
  for (const rt::ModelSpec& spec : mechanisms()) {
    const rt::Model one = rt::buildModel(spec), other = rt::buildModel(spec);
    CHECK(one.hash == other.hash);
    CHECK(rt::hashState(rt::initialState(one).state) == rt::hashState(rt::initialState(other).state));
  }
}

TEST_CASE("a hundred runs of sixty thousand ticks end with one hash", "[rt][determinism][slow]") {
  rt::ModelSpec spec = doublePendulum();
  rt::ActuatorSpec push;
  push.name = "push";
  rt::BodyForceSpec force;
  force.body = spec.bodies.back().name;
  force.direction = {1, 0, 0};
  push.kind = force;
  spec.actuators = {push};
  constexpr int kRuns = 100, kTicks = 60'000;
  const std::uint64_t first = hashAfter(spec, kTicks);
  int same = 1;
  for (int run = 1; run < kRuns; ++run) same += hashAfter(spec, kTicks) == first ? 1 : 0;
  CHECK(same == kRuns);
}
