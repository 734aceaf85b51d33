#include "rt/ali3p/third_order_limit.h"
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

rt::Settings thirdOrder() {
  rt::Settings settings = settingsFor(kStep, 2);
  settings.third_order = true;
  return settings;
}

/// Energy after `steps` third-order steps over that at the begin.
double growth(const rt::ModelSpec& spec, int steps) {
  Simulation run(spec, thirdOrder());
  const auto energy = [&] {
    const rt::Energy e = rt::energyOf(run.model(), run.state().view());
    return e.kinetic + e.potential;
  };
  const double begin = energy();
  for (int k = 0; k < steps; ++k) run.step();
  return energy() / begin;
}

/// What a step multiplies the amplitude of an undamped vibration by, from the second half of `steps` steps.
double factor(double angle, int steps) {
  // Small, so that what grows stays within the reach of the spring, and large against the round-off of 10 m.
  const rt::ModelSpec spec = oscillator(angle, 0, 1e-7);
  return std::pow(growth(spec, steps) / growth(spec, steps / 2), 1.0 / steps);
}

}  // namespace

TEST_CASE("third-order steps: the limit keeps the energy of an undamped vibration", "[rt][ali3p][third_order]") {
  // The amplitude grows by 1.0e-8 a step at the limit: 4e-4 of energy in 20 000 steps; by 3.7e-6 at 0.4 rad a step.
  CHECK(growth(oscillator(rt::kMaxUndampedAngle, 0), 20000) < 1.001);
  CHECK(growth(oscillator(0.4, 0), 50000) > 1.4);
}

TEST_CASE(
    "third-order steps amplify undamped vibrations by the sixth power of their angle, and at most by the known factor",
    "[rt][ali3p][third_order]") {
  // Two digits of the page; the next power of the angle adds another 1.2 % at 0.25 rad.
  for (const double angle : {0.2, 0.25})
    CHECK(factor(angle, 8000) - 1 == Approx(8.7e-4 * std::pow(angle, 6)).epsilon(0.03));
  double largest = 0, at = 0;
  for (double angle = 0.2; angle < 30; angle *= 1.005) {
    const double here = factor(angle, 160);
    if (here > largest) largest = here, at = angle;
  }
  CHECK(largest == Approx(1.09).epsilon(0.005));                  // digits of the page
  CHECK(2 * std::numbers::pi / at == Approx(2.1).epsilon(0.05));  // steps per period
}

TEST_CASE("third-order steps: the required damping outweighs the amplification at every frequency",
          "[rt][ali3p][third_order]") {
  for (double angle = 0.2; angle < 30; angle *= 1.12) {
    INFO(angle);
    const rt::ModelSpec spec = oscillator(angle, rt::kDampingPart);
    CHECK_NOTHROW(rt::requireStableSteps(rt::buildModel(spec), thirdOrder()));
    CHECK(growth(spec, 1000) < 1);
  }
}

TEST_CASE("third-order steps of an undamped stiff spring are refused, with its name, its frequency and what to change",
          "[rt][ali3p][third_order]") {
  const rt::Model stiff = rt::buildModel(oscillator(0.6, 0));
  std::string text;
  try {
    rt::requireStableSteps(stiff, thirdOrder());
  } catch (const Error& error) { text = error.what(); }
  CHECK_THAT(text, Catch::Contains("third_order") && Catch::Contains("'coil'") && Catch::Contains("600 rad/s") &&
                       Catch::Contains("plain steps"));
  CHECK_NOTHROW(rt::requireStableSteps(stiff, settingsFor(kStep, 2)));
  CHECK_NOTHROW(rt::requireStableSteps(rt::buildModel(oscillator(0.14, 0)), thirdOrder()));
  CHECK_THROWS_AS(rt::requireStableSteps(rt::buildModel(oscillator(0.16, 0)), thirdOrder()), rt::ModelError);
}
