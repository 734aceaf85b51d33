#include "tests/rt/ali3p/compare_steps.h"

#include "rt/ali3p/step.h"
#include "rt/ali3p/workspace.h"
#include "rt/math/worst.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <random>

namespace tactus::tests {

namespace {

bool agrees(double a, double b, double tolerance) {
  return std::abs(a - b) <= tolerance * (1 + std::abs(a));
}

}  // namespace

// Tolerances: the two paths add the same numbers up in another order. What is left is round-off: 1e-16 times the digits
// that a step loses, more at each level from positions to accelerations.
void compareSteps(const rt::Model& model, const rt::Plan& plan, const rt::Plan& other, const rt::Settings& settings,
                  int steps) {
  CAPTURE(model.name, model.bodyCount(), settings.dt(), settings.order());
  rt::Workspace ws(model, plan), of_other(model, other);
  rt::State state = rt::initialState(model).state;
  std::vector<double> input(model.actuators.size());
  std::mt19937 random(7);
  std::normal_distribution<double> normal(0, 3);
  double worst = 0;
  for (int i = 0; i < steps; ++i) {
    for (double& value : input) value = normal(random);
    rt::State expected = state;
    const rt::StepReport a = rt::step(model, plan, settings, input, state, ws);
    const rt::StepReport b = rt::step(model, other, settings, input, expected, of_other);
    CAPTURE(i);
    REQUIRE(a.status == rt::TickStatus::kOk);
    REQUIRE(b.status == rt::TickStatus::kOk);
    double scale = 1;
    for (double value : expected.values()) scale = rt::worst(scale, std::abs(value));
    for (std::size_t k = 0; k < state.values().size(); ++k)
      worst = rt::worst(worst, std::abs(state.values()[k] - expected.values()[k]) / scale);
    CHECK(a.iterations == b.iterations);
    CHECK(a.factorizations == b.factorizations);
    CHECK(a.limited == b.limited);
    CHECK(agrees(a.increment, b.increment, 1e-9));
    CHECK(agrees(a.residual, b.residual, 1e-9));
    CHECK(agrees(a.velocity_projection, b.velocity_projection, 1e-8));
    CHECK(agrees(a.constraint_position, b.constraint_position, 1e-9));
    CHECK(agrees(a.constraint_velocity, b.constraint_velocity, 1e-8));
    CHECK(agrees(a.constraint_acceleration, b.constraint_acceleration, 1e-7));
  }
  CHECK(worst < 1e-10);
}

}  // namespace tactus::tests
