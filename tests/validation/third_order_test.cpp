// ali3p-x3: each step extrapolated from one whole and two half trapezoidal steps.
// Covers: rt/ali3p/third_order.cpp
#include "tests/support/random_mechanisms.h"
#include "tests/validation/acceptance.h"

using namespace tactus;
using namespace tactus::tests;

namespace {

rt::Settings thirdOrder(double dt, int iterations) {
  rt::Settings settings = settingsFor(dt, iterations);
  settings.third_order = true;
  return settings;
}

std::vector<std::string> motionSignals(const rt::ModelSpec& spec) {
  std::vector<std::string> signals;
  for (const rt::BodySpec& b : spec.bodies)
    for (const char* part : {".r.*", ".p.*", ".v.*", ".omega.*"}) signals.push_back(b.name + part);
  return signals;
}

/// Largest difference of any signal at the last time of two runs over the same span.
double differenceAtEnd(const Recording& a, const Recording& b) {
  double worst = 0;
  for (const auto& [name, values] : a.values()) worst = std::max(worst, std::abs(values.back() - b[name].back()));
  return worst;
}

/// What violations of 1e-10, which a step may leave, grow to until the end.
constexpr double kNoise = 1e-9;

/// Halving the step divides the error by eight, against a step eight times finer than the finest.
void checkOrderThree(const rt::ModelSpec& spec, double coarsest, double until, int iterations) {
  CAPTURE(spec.name, iterations);
  const std::vector<std::string> signals = motionSignals(spec);
  const Recording reference = record(spec, thirdOrder(coarsest / 32, 2), until, signals);
  REQUIRE(reference.ok);
  std::vector<double> errors;
  for (const double dt : {coarsest, coarsest / 2, coarsest / 4}) {
    const Recording run = record(spec, thirdOrder(dt, iterations), until, signals);
    REQUIRE(run.ok);
    errors.push_back(differenceAtEnd(run, reference));
  }
  CAPTURE(errors);
  const std::vector<double> orders = observedOrders(errors);
  REQUIRE(errors[1] > kNoise);
  // Order 3, with room for the next term of the error.
  CHECK(orders[0] > 2.7);
  if (errors[2] > kNoise) CHECK(orders[1] > 2.7);
}

}  // namespace

TEST_CASE("third-order steps have order 3 on chains, trees, loops and hubs", "[validation][third_order]") {
  checkOrderThree(chain(8), 0.01, 1.6, 1);
  checkOrderThree(chain(8), 0.01, 1.6, 2);
  checkOrderThree(fourBar(FourBarReading::kDown), 0.01, 1.6, 2);
  checkOrderThree(fourBar(FourBarReading::kUp), 0.01, 1.6, 2);
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    CAPTURE(seed);
    // Bodies with anisotropic inertia and spin: without accelerations that belong to the projected velocities, order 2.
    checkOrderThree(randomTree(5, JointMix::kMixed, seed), 0.016, 0.32, 2);
    checkOrderThree(randomLoop(4, 2, seed), 0.016, 0.32, 2);
    checkOrderThree(hubWithLoops(2, seed), 0.016, 0.32, 2);
  }
}

TEST_CASE("third-order steps on a chain of 8 have the known errors", "[validation][third_order]") {
  const auto error = [](const rt::Settings& settings) {
    const Recording run = record(chain(8), settings, 2, {"link_8.r.*"});
    return std::hypot(run["link_8.r.x"].back() + 5.804850875, run["link_8.r.y"].back() + 2.892548895);
  };
  // Independent code: 5.0e-6 m and 6.2e-7 m for the worst link with two iterations, 1.8e-3 m for the plain step.
  CHECK(error(thirdOrder(0.01, 1)) < 7.5e-6);
  CHECK(error(thirdOrder(0.01, 2)) < 5.5e-6);
  CHECK(error(thirdOrder(0.005, 2)) < 6.5e-7);
  CHECK(error(settingsFor(0.01)) > 40 * error(thirdOrder(0.01, 2)));
}

TEST_CASE("third-order steps keep the constraints at all levels after the combination", "[validation][third_order]") {
  for (const rt::ModelSpec& spec : {chain(8), fourBar(FourBarReading::kUp), ladder(2), doublePendulum()}) {
    CAPTURE(spec.name);
    const Recording run = record(spec, thirdOrder(0.01, 2), 2, {"energy.total"});
    REQUIRE(run.ok);
    checkConstraintNorms(run);
    CHECK(run.worst.constraint_acceleration <= 1e-9);  // as the other levels, see checkConstraintNorms()
  }
}

TEST_CASE("third-order steps take an input on the line between two ticks", "[validation][third_order]") {
  // A free body pushed along x by a force that follows sin(t): r = t - sin(t) for unit mass, from rest.
  rt::ModelSpec spec = freeBody(0);
  spec.gravity = rt::Vector3d::Zero();
  spec.bodies[0].velocity = rt::Vector3d::Zero();
  const double mass = spec.bodies[0].mass;
  rt::ActuatorSpec push;
  push.name = "push";
  rt::BodyForceSpec force;
  force.body = spec.bodies[0].name;
  force.direction = {1, 0, 0};
  push.kind = force;
  spec.actuators.push_back(push);
  std::vector<double> errors;
  for (const double dt : {0.04, 0.02, 0.01}) {
    Simulation simulation(spec, thirdOrder(dt, 1));
    const double start = simulation.state().r(0).x();
    for (int k = 1; k <= static_cast<int>(std::lround(2 / dt)); ++k) {
      simulation.input()[0] = mass * std::sin(k * dt);
      simulation.step();
    }
    errors.push_back(std::abs(simulation.state().r(0).x() - start - (2 - std::sin(2))));
  }
  // What the line leaves of a curved input is of second order; a step that took the new input early would be of first.
  CAPTURE(errors);
  for (const double order : observedOrders(errors)) CHECK(order > 1.9);
}
