#include "rt/ali3p/extrapolation_limit.h"
#include "rt/model/model.h"

#include "rt/error.h"
#include "rt/mechanics/energy.h"
#include "tests/support/mechanisms.h"
#include "tests/support/simulation.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>

using namespace tactus;
using namespace tactus::tests;

namespace {

constexpr double kStep = 1e-3;

/// 1 kg on a rail along x with a spring to ground; a vibration turns by `angle` rad in a step of 1 ms.
rt::ModelSpec oscillator(double angle, double damping_part, double amplitude = 0.05) {
  rt::ModelSpec spec;
  spec.name = "oscillator";
  spec.gravity = rt::Vector3d::Zero();
  rt::BodySpec body = makeBody("mass", {amplitude, 0, 0});
  body.mass = 1;
  spec.bodies = {body};
  rt::PrismaticSpec rail;
  rail.axis_1 = rail.axis_2 = {1, 0, 0};
  spec.joints = {makeJoint("rail", rt::kGroundName, "mass", rail)};
  rt::TranslationalSpringSpec coil;
  coil.body_1 = rt::kGroundName;
  coil.body_2 = "mass";
  coil.point_1 = {-10, 0, 0};
  coil.stiffness = (angle / kStep) * (angle / kStep);
  coil.damping = damping_part * kStep * coil.stiffness;
  coil.free_length = 10;
  spec.forces = {{"coil", "", coil}};
  return spec;
}

rt::Settings ofOrder(int order) {
  rt::Settings settings = settingsFor(kStep, 2);
  settings.setOrder(order);
  return settings;
}

/// Energy after `steps` steps over that at the begin.
double growth(const rt::ModelSpec& spec, int order, int steps) {
  Simulation run(spec, ofOrder(order));
  const auto energy = [&] {
    const rt::Energy e = rt::energyOf(run.model(), run.state().view());
    return e.kinetic + e.potential;
  };
  const double begin = energy();
  for (int k = 0; k < steps; ++k) run.step();
  return energy() / begin;
}

/// What a step multiplies the amplitude of an undamped vibration by, from the second half of `steps` steps.
double factor(double angle, int order, int steps) {
  // Small, so that what grows stays within the reach of the spring, and large against the round-off of 10 m.
  const rt::ModelSpec spec = oscillator(angle, 0, 1e-7);
  return std::pow(growth(spec, order, steps) / growth(spec, order, steps / 2), 1.0 / steps);
}

}  // namespace

TEST_CASE("third-order steps: the limit keeps the energy of an undamped vibration", "[rt][ali3p][extrapolation]") {
  // The amplitude grows by 1.0e-8 a step at the limit: 4e-4 of energy in 20 000 steps; by 3.7e-6 at 0.4 rad a step.
  CHECK(growth(oscillator(rt::limitOfStep(3).undamped_angle, 0), 3, 20000) < 1.001);
  CHECK(growth(oscillator(0.4, 0), 3, 50000) > 1.4);
}

TEST_CASE(
    "third-order steps amplify undamped vibrations by the sixth power of their angle, and at most by the known factor",
    "[rt][ali3p][extrapolation]") {
  // Two digits of the page; the next power of the angle adds another 1.2 % at 0.25 rad.
  for (const double angle : {0.2, 0.25})
    CHECK(factor(angle, 3, 8000) - 1 == Approx(8.7e-4 * std::pow(angle, 6)).epsilon(0.03));
  double largest = 0, at = 0;
  // The maximum is flat: with a ratio of 1.005 it is the same to 1e-5.
  for (double angle = 0.2; angle < 30; angle *= 1.02) {
    const double here = factor(angle, 3, 160);
    if (here > largest) largest = here, at = angle;
  }
  CHECK(largest == Approx(1.09).epsilon(0.005));                  // digits of the page
  CHECK(2 * std::numbers::pi / at == Approx(2.1).epsilon(0.05));  // steps per period
}

TEST_CASE("fourth-order steps damp undamped vibrations up to 1.8 rad a step, and amplify faster ones",
          "[rt][ali3p][extrapolation]") {
  // Two digits of the page; the next power of the angle adds another 2 % at 0.3 rad.
  for (const double angle : {0.25, 0.3})
    CHECK(factor(angle, 4, 8000) - 1 == Approx(-1.0e-4 * std::pow(angle, 6)).epsilon(0.04));
  for (double angle = 0.2; angle <= 1.8; angle += 0.1) {
    INFO(angle);
    CHECK(factor(angle, 4, 2000) < 1);
  }
  // Not a number where the vibration dies out: std::max passes over it.
  double largest = 0;
  for (double angle = 0.2; angle < 30; angle *= 1.005) largest = std::max(largest, factor(angle, 4, 160));
  CHECK(largest == Approx(1.5).epsilon(0.05));     // digits of the page
  CHECK(factor(2.0, 4, 2000) > 1.001);             // 1.3e-3 is seen
  CHECK(rt::limitOfStep(4).undamped_angle < 1.8);  // of the page
}

TEST_CASE("steps of higher order: the required damping outweighs the amplification at every frequency",
          "[rt][ali3p][extrapolation]") {
  for (const int order : {3, 4})
    for (double angle = 0.2; angle < 30; angle *= 1.12) {
      INFO("order " << order << ", " << angle);
      // Small: fourth-order steps let a stiff displacement overshoot once, and the spring is 10 m long.
      const rt::ModelSpec spec = oscillator(angle, rt::limitOfStep(order).damping_part, 1e-4);
      CHECK_NOTHROW(rt::requireStableSteps(rt::buildModel(spec), ofOrder(order)));
      CHECK(growth(spec, order, 1000) < 1);
    }
}

TEST_CASE("a damping below the required one amplifies no vibration within the limit", "[rt][ali3p][extrapolation]") {
  for (const double part : {0.0, 0.02, 0.05, 0.09})
    for (double angle = 0.1; angle <= rt::limitOfStep(4).undamped_angle; angle *= 1.2) {
      INFO(part << ", " << angle);
      CHECK(growth(oscillator(angle, part), 4, 1000) < 1);
    }
}

TEST_CASE("steps of higher order of an undamped stiff spring are refused, with its name, frequency and what to change",
          "[rt][ali3p][extrapolation]") {
  const auto refusal = [](double angle, int order) -> std::string {
    try {
      rt::requireStableSteps(rt::buildModel(oscillator(angle, 0)), ofOrder(order));
      return "";
    } catch (const rt::ModelError& error) { return error.what(); }
  };
  CHECK_THAT(refusal(0.6, 3), Catch::Contains("third_order") && Catch::Contains("'coil'") &&
                                  Catch::Contains("600 rad/s") &&
                                  Catch::Contains("use plain steps, fourth-order steps, a period"));
  CHECK_THAT(refusal(1.6, 4), Catch::Contains("fourth_order") && Catch::Contains("1.6e+03 rad/s") &&
                                  Catch::Contains("use plain steps, a period"));
  CHECK_THAT(refusal(2, 3), Catch::Contains("use plain steps, a period"));
  CHECK(refusal(0.6, 2).empty());
  CHECK(refusal(0.14, 3).empty());
  CHECK_FALSE(refusal(0.16, 3).empty());
  CHECK(refusal(1.4, 4).empty());
}

TEST_CASE("a rope that starts slack and a tyre that starts above its road are refused like those that carry",
          "[rt][ali3p][extrapolation]") {
  const double stiffness = 9e6;  // 3 rad a step for 1 kg
  rt::ModelSpec spec = oscillator(1, 0, 0);
  for (const double slack : {-0.001, 0.009}) {
    INFO("slack of " << slack);
    rt::RopeSpec rope;
    rope.points = {{rt::kGroundName, {-10, 0, 0}}, {"mass", rt::Vector3d::Zero()}};
    rope.stiffness = stiffness;
    rope.free_length = 10 + slack;
    spec.forces = {{"rope", "", rope}};
    for (const int order : {3, 4}) CHECK(rt::findAmplified(rt::buildModel(spec), ofOrder(order)));
    std::get<rt::RopeSpec>(spec.forces[0].kind).damping = 0.2 * kStep * stiffness;
    CHECK_FALSE(rt::findAmplified(rt::buildModel(spec), ofOrder(3)));
  }
  rt::RoadSpec road;
  road.name = "road";
  road.up = {1, 0, 0};
  road.along = {0, 1, 0};
  spec.roads = {road};
  for (const double height : {0.299, 0.31}) {
    INFO("height of " << height);
    spec.bodies[0].position = {height, 0, 0};
    rt::VerticalTyreSpec tyre{"road", "mass", rt::Vector3d::Zero(), 0.3, stiffness, 0};
    spec.forces = {{"tyre", "", tyre}};
    for (const int order : {3, 4}) CHECK(rt::findAmplified(rt::buildModel(spec), ofOrder(order)));
    std::get<rt::VerticalTyreSpec>(spec.forces[0].kind).damping = 0.2 * kStep * stiffness;
    CHECK_FALSE(rt::findAmplified(rt::buildModel(spec), ofOrder(3)));
  }
}

TEST_CASE("settings for two orders at once are refused", "[rt][ali3p][extrapolation]") {
  rt::Settings both = ofOrder(3);
  both.fourth_order = true;
  const std::optional<rt::Finding> finding = rt::findAmplified(rt::buildModel(oscillator(0.1, 0)), both);
  REQUIRE(finding);
  CHECK(finding->path == "solver.fourth_order");
  CHECK_THAT(finding->hint, Catch::Contains("one of the two"));
}
