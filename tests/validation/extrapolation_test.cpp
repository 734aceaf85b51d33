// ali3p-x3 and ali3p-x4: each step extrapolated from one whole, two half and three third trapezoidal steps.
// Covers: rt/ali3p/extrapolation.cpp
#include "rt/math/worst.h"
#include "tests/support/random_mechanisms.h"
#include "tests/validation/acceptance.h"

using namespace tactus;
using namespace tactus::tests;

namespace {

std::vector<std::string> motionSignals(const rt::ModelSpec& spec) {
  std::vector<std::string> signals;
  for (const rt::BodySpec& b : spec.bodies)
    for (const char* part : {".r.*", ".p.*", ".v.*", ".omega.*"}) signals.push_back(b.name + part);
  return signals;
}

/// Largest difference of any signal at the last time of two runs over the same span.
double differenceAtEnd(const Recording& a, const Recording& b) {
  double worst = 0;
  for (const auto& [name, values] : a.values()) worst = rt::worst(worst, std::abs(values.back() - b[name].back()));
  return worst;
}

/// What violations of 1e-10, which a step may leave, grow to until the end.
constexpr double kNoise = 1e-9;

rt::Settings ofOrder(int order, double dt, int iterations) {
  rt::Settings settings = settingsFor(dt, iterations);
  settings.setOrder(order);
  return settings;
}

/// Halving the step divides the error by two to the order, against a fourth-order step eight times finer than the
/// finest.
void checkOrder(int order, const rt::ModelSpec& spec, double coarsest, double until, int iterations) {
  CAPTURE(spec.name, order, iterations);
  const std::vector<std::string> signals = motionSignals(spec);
  const Recording reference = record(spec, ofOrder(4, coarsest / 32, 3), until, signals);
  REQUIRE(reference.ok);
  std::vector<double> errors;
  for (const double dt : {coarsest, coarsest / 2, coarsest / 4}) {
    const Recording run = record(spec, ofOrder(order, dt, iterations), until, signals);
    REQUIRE(run.ok);
    errors.push_back(differenceAtEnd(run, reference));
  }
  CAPTURE(errors);
  const std::vector<double> orders = observedOrders(errors);
  REQUIRE(errors[0] > 5 * kNoise);
  // With room for the next term of the error.
  if (errors[1] > kNoise) CHECK(orders[0] > order - 0.4);
  if (errors[2] > kNoise) CHECK(orders[1] > order - 0.4);
}

/// A spring and a damper, each optional, between the first and the last body.
rt::ModelSpec withCoil(rt::ModelSpec spec, double stiffness, double damping) {
  rt::TranslationalSpringSpec coil;
  coil.body_1 = spec.bodies.front().name;
  coil.body_2 = spec.bodies.back().name;
  coil.point_1 = {0.1, 0.05, 0};
  coil.point_2 = {0, 0.1, 0.1};
  coil.free_length = 0.5;
  coil.stiffness = stiffness;
  coil.damping = damping;
  spec.forces = {{"coil", "", coil}};
  return spec;
}

/// Error of the tip of the 8-link chain at 2 s, against a reference of nine digits, m.
double tipError(const rt::Settings& settings) {
  const Recording run = record(chain(8), settings, 2, {"link_8.r.*"});
  return std::hypot(run["link_8.r.x"].back() + 5.804850875, run["link_8.r.y"].back() + 2.892548895);
}

}  // namespace

TEST_CASE("steps of higher order have their order on chains, trees, loops and hubs", "[validation][extrapolation]") {
  for (const int order : {3, 4}) {
    checkOrder(order, chain(8), 0.01, 1.6, 1);
    checkOrder(order, chain(8), 0.01, 1.6, 3);
    checkOrder(order, fourBar(FourBarReading::kDown), 0.02, 1.6, 2);
    checkOrder(order, fourBar(FourBarReading::kUp), 0.02, 1.6, 2);
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      CAPTURE(seed);
      // Bodies with anisotropic inertia and spin: without accelerations that belong to the projected velocities,
      // order 2.
      checkOrder(order, randomTree(5, JointMix::kMixed, seed), 0.016, 0.32, 2);
      checkOrder(order, randomLoop(4, 2, seed), 0.032, 0.32, 2);
      checkOrder(order, hubWithLoops(2, seed), 0.064, 0.64, 2);
    }
  }
}

TEST_CASE("steps of higher order have their order with springs and dampers between jointed bodies",
          "[validation][extrapolation]") {
  // One projection of the accelerations leaves order 2 with dampers, and two leave order 3.
  for (const int order : {3, 4})
    for (const double stiffness : {0.0, 200.0})
      for (const double damping : {0.0, 5.0}) {
        if (stiffness + damping == 0) continue;
        CAPTURE(stiffness, damping);
        checkOrder(order, withCoil(randomTree(5, JointMix::kMixed, 1), stiffness, damping), 0.016, 0.32, 2);
        // The spring makes the loop whirl.
        checkOrder(order, withCoil(randomLoop(4, 2, 1), stiffness, damping), stiffness > 0 ? 0.004 : 0.032, 0.32, 2);
      }
}

TEST_CASE("fourth-order steps on a chain of 8 have the known errors", "[validation][extrapolation]") {
  // 4.9e-6 m with third-order steps of 10 ms.
  CHECK(tipError(ofOrder(4, 0.01, 2)) < 1.5e-7);
  CHECK(tipError(ofOrder(4, 0.02, 3)) < 3e-6);
}

TEST_CASE("third-order steps on a chain of 8 have the known errors", "[validation][extrapolation]") {
  // Independent code: 5.0e-6 m and 6.2e-7 m for the worst link with two iterations, 1.8e-3 m for the plain step.
  CHECK(tipError(ofOrder(3, 0.01, 1)) < 8e-6);
  CHECK(tipError(ofOrder(3, 0.01, 2)) < 5.5e-6);
  CHECK(tipError(ofOrder(3, 0.005, 2)) < 6.5e-7);
  CHECK(tipError(settingsFor(0.01)) > 40 * tipError(ofOrder(3, 0.01, 2)));
}

TEST_CASE("steps of higher order keep the constraints at all levels after the combination",
          "[validation][extrapolation]") {
  for (const rt::ModelSpec& spec : {chain(8), fourBar(FourBarReading::kUp), ladder(2), doublePendulum()}) {
    for (const int order : {3, 4}) {
      CAPTURE(spec.name, order);
      const Recording run = record(spec, ofOrder(order, 0.01, 2), 2, {"energy.total"});
      REQUIRE(run.ok);
      checkConstraintNorms(run);
      CHECK(run.worst.constraint_acceleration <= 1e-9);  // as the other levels, see checkConstraintNorms()
    }
  }
}

TEST_CASE("steps of higher order take an input on the line between two ticks", "[validation][extrapolation]") {
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
  for (const int order : {3, 4}) {
    std::vector<double> errors;
    for (const double dt : {0.04, 0.02, 0.01}) {
      Simulation simulation(spec, ofOrder(order, dt, 1));
      const double start = simulation.state().r(0).x();
      for (int k = 1; k <= static_cast<int>(std::lround(2 / dt)); ++k) {
        simulation.input()[0] = mass * std::sin(k * dt);
        simulation.step();
      }
      errors.push_back(std::abs(simulation.state().r(0).x() - start - (2 - std::sin(2))));
    }
    // What the line leaves of a curved input is of second order; a step that took the new input early would be of
    // first.
    CAPTURE(order, errors);
    for (const double observed : observedOrders(errors)) CHECK(observed > 1.9);
  }
}
