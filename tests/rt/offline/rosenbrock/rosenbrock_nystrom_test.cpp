// Rosenbrock-Nystrom methods: tables against print, linear analysis, stiffness, error control.
#include "rt/offline/rosenbrock/rosenbrock_nystrom.h"
#include "tests/rt/offline/plain_systems.h"

#include <catch2/catch.hpp>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace tactus::rt::offline;
using namespace tactus::tests;

namespace {

MotionPoint run(const DynamicSystem& system, const MotionPoint& start, const RosenbrockStepper::Settings& settings,
                double until, int steps) {
  RosenbrockStepper stepper(system, start, settings);
  for (int k = 0; k < steps; ++k) stepper.advance(until / steps);
  return stepper.point();
}

RosenbrockStepper::Settings fixedStep(const RosenbrockNystrom& method) {
  RosenbrockStepper::Settings settings;
  settings.method = &method;
  settings.tolerances.adaptive = false;
  return settings;
}

/// Largest root of a step on an oscillator of frequency 1.
double radius(const RosenbrockNystrom& method, double h) {
  const Oscillator oscillator(1);
  Eigen::Matrix2d A;
  for (int k = 0; k < 2; ++k) {
    const MotionPoint end = run(oscillator, oscillator.pointAt(k == 0, k == 1), fixedStep(method), h, 1);
    A.col(k) << end.position[0], end.velocity[0];
  }
  return A.eigenvalues().cwiseAbs().maxCoeff();
}

}  // namespace

TEST_CASE("the tables of rn4 equal the printed Theorem 2.1 but for its misprints", "[rt][offline]") {
  constexpr double kDigits = 1e-14;  // the print has 17 digits; round-off of a few operations on them
  const RosenbrockNystrom& k = rn4();
  CHECK(k.a(1, 0) == Approx(2.0).epsilon(kDigits));  // print: 0.2
  CHECK(k.a(2, 0) == Approx(1.86794814949823713).epsilon(kDigits));
  CHECK(k.theta(2, 0) == Approx(0.78950916281563863).epsilon(kDigits));
  CHECK(k.c(1, 0) == Approx(-7.13764994334997983).epsilon(kDigits));
  CHECK(k.c(2, 0) == Approx(2.58092366650965771).epsilon(kDigits));
  CHECK(k.c(3, 2) == Approx(-0.694966049282445225).epsilon(kDigits));
  CHECK(k.delta(1, 0) ==
        Approx(-1.19636100711201395).epsilon(kDigits));  // with gamma_21 negative; print has it positive
  CHECK(k.delta(3, 0) == Approx(0.00376509435555616580).epsilon(kDigits));
  CHECK(k.m[0] == Approx(2.25556622860456524).epsilon(kDigits));
  CHECK(k.m[3] == Approx(1.09350765640324780).epsilon(kDigits));
  CHECK(k.mu[0] == Approx(1.59275081940958534).epsilon(kDigits));
  CHECK(k.m_embedded[2] == Approx(0.363373345435391708).epsilon(kDigits));
  CHECK(k.gamma_sum[1] == Approx(-1.76917706711201395).epsilon(kDigits));
  CHECK(k.alpha_sum[2] == Approx(0.655214975973133829).epsilon(kDigits));
  CHECK(ros2w().m[0] == Approx(0.87867965644035743).epsilon(kDigits));
  CHECK(ros2w().m_embedded[1] == Approx(0.58578643762690495).epsilon(kDigits));
}

TEST_CASE("Rosenbrock-Nystrom methods damp as the linear analysis predicts", "[rt][offline][linear]") {
  // Radii at step / (solves x period) = 0.05 and 0.1, from the roots of the stability functions.
  const double turn = 2 * std::numbers::pi;
  CHECK(radius(rn4(), 0.05 * 4 * turn) == Approx(0.961066896).epsilon(1e-8));
  CHECK(radius(rn4(), 0.1 * 4 * turn) == Approx(0.743976002).epsilon(1e-8));
  CHECK(radius(ros2w(), 0.05 * 2 * turn) == Approx(0.84485921).epsilon(1e-8));
  CHECK(radius(ros2w(), 0.1 * 2 * turn) == Approx(0.570222254).epsilon(1e-8));
  // L-stable: nothing is left of an infinitely stiff spring.
  CHECK(radius(rn4(), 1e5) < 1e-3);
  CHECK(radius(ros2w(), 1e5) < 1e-3);
}

TEST_CASE("ros2-w keeps its order with any Jacobian, rn4 needs the exact one", "[rt][offline][order]") {
  const NonlinearOscillator system;
  const MotionPoint exact = run(system, system.pointAt(1, 0.5), fixedStep(rn4()), 1, 4000);
  const auto order = [&](const RosenbrockNystrom& method, RosenbrockStepper::Jacobian jacobian) {
    RosenbrockStepper::Settings settings = fixedStep(method);
    settings.jacobian = jacobian;
    std::vector<double> errors;
    for (const int steps : {160, 320})
      errors.push_back((run(system, system.pointAt(1, 0.5), settings, 1, steps).position - exact.position).norm());
    return std::log2(errors[0] / errors[1]);
  };
  using Jacobian = RosenbrockStepper::Jacobian;
  // The next term of the error shifts an observed order; by 0.006 at most at these steps.
  for (const Jacobian jacobian : {Jacobian::kExact, Jacobian::kPosition, Jacobian::kNone})
    CHECK(order(ros2w(), jacobian) == Approx(2).margin(0.25));
  CHECK(order(rn4(), Jacobian::kExact) == Approx(4).margin(0.25));
  // Without a Jacobian its conditions of order 2 fail, too: 0.996 seen.
  CHECK(order(rn4(), Jacobian::kNone) < 1.5);
}

TEST_CASE("rn4 keeps order 4 with a force that depends on time", "[rt][offline][order]") {
  const PointPendulum pendulum(9.8, 5);
  const MotionPoint start = pendulum.pointAt(0, 0);
  const MotionPoint exact = run(pendulum, start, fixedStep(rn4()), 2, 4000);
  std::vector<double> errors;
  for (const int steps : {40, 80})
    errors.push_back((run(pendulum, start, fixedStep(rn4()), 2, steps).position - exact.position).norm());
  CHECK(std::log2(errors[0] / errors[1]) == Approx(4).margin(0.4));  // the next term of the error
}

TEST_CASE("rn4 partitions its coordinates again when their condition grows, and passes poses that would be singular",
          "[rt][offline]") {
  // A pendulum that goes round: x is no free coordinate where it hangs sideways, y none where it hangs down.
  const PointPendulum pendulum(9.8);
  const MotionPoint start = pendulum.pointAt(0.3, 8);
  RosenbrockStepper::Settings settings = fixedStep(rn4());
  settings.coordinates = RosenbrockStepper::Coordinates::kOrthonormal;
  const MotionPoint exact = run(pendulum, start, settings, 2, 2000);
  settings.coordinates = RosenbrockStepper::Coordinates::kPartitioned;
  RosenbrockStepper stepper(pendulum, start, settings);
  for (int k = 0; k < 400; ++k) stepper.advance(0.005);
  CHECK((stepper.point().position - exact.position).norm() < 1e-4);  // steps of 5 ms, order 4, over two turns
  // Two turns and more, four changes each; the direction of the bar is at most 45 degrees and a bit from the axis.
  CHECK(stepper.statistics().partitions >= 8);
  CHECK(stepper.statistics().condition < 1.25 * std::numbers::sqrt2 + 0.1);
  CHECK(pendulum.constraints(stepper.point()).norm() < 1e-14);
  // Unwatched, the partition of the start comes to where it decides nothing.
  settings.part_anew_above = 1e9;
  RosenbrockStepper unwatched(pendulum, start, settings);
  const auto go = [&] {
    for (int k = 0; k < 400; ++k) unwatched.advance(0.005);
    return (unwatched.point().position - exact.position).norm();
  };
  double error = HUGE_VAL;
  try {
    error = go();
  } catch (const StepFailure&) {}
  CHECK(error > 1e-3);  // ten times the bound above
}

TEST_CASE("rn4 holds its tolerance and takes few steps on a stiff oscillator", "[rt][offline]") {
  // A spring of 1e8 1/s^2 with critical damping: an explicit method would need steps of 1e-4 s.
  const Oscillator stiff(1e4, 1);
  RosenbrockStepper stepper(stiff, stiff.pointAt(0.1, 0), {&rn4(), {1e-6, 1e-6, true}});
  double t = 0;
  while (t < 1) {
    stepper.advance(1 - t);
    t = stepper.point().t;
  }
  CHECK(std::abs(stepper.point().position[0]) < 1e-5);  // ten times the tolerance
  CHECK(stepper.statistics().steps < 300);

  // Error control: a tighter tolerance gives a smaller error, below ten times the tolerance.
  const NonlinearOscillator system;
  const MotionPoint exact = run(system, system.pointAt(1, 0.5), fixedStep(rn4()), 2, 8000);
  for (const double tolerance : {1e-3, 1e-5, 1e-7}) {
    RosenbrockStepper controlled(system, system.pointAt(1, 0.5), {&rn4(), {tolerance, tolerance, true}});
    while (controlled.point().t < 2 - 1e-12) controlled.advance(std::min(0.1, 2 - controlled.point().t));
    CHECK((controlled.point().position - exact.position).norm() < 10 * tolerance);
  }
}
