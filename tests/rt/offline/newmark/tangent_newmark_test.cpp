// Newmark's rule without constraints, and in the tangent space of a pendulum where the scalar equation is the judge.
#include "rt/offline/newmark/tangent_newmark.h"
#include "rt/math/worst.h"
#include "tests/rt/offline/plain_systems.h"

#include <catch2/catch.hpp>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

using namespace tactus::rt::offline;
using namespace tactus::tests;

namespace {

constexpr NewmarkRule kTrapezoidal{0.5, 0.25}, kFoxGoodwin{0.5, 1.0 / 12}, kLinear{0.5, 1.0 / 6};

/// Newmark's rule on theta'' = f(t, theta), solved to round-off.
struct ScalarNewmark {
  const PointPendulum& pendulum;
  NewmarkRule rule;
  double t = 0, x = 0, v = 0, a = 0;

  void advance(double h) {
    const double x_c = x + h * v + h * h * (0.5 - rule.beta) * a;
    double next = a;
    for (int k = 0; k < 200; ++k) {
      const double residual = next - pendulum.accelerationAt(t + h, x_c + rule.beta * h * h * next);
      const double slope = 1 + rule.beta * h * h * 9.8 * std::cos(x_c + rule.beta * h * h * next);
      next -= residual / slope;
      if (std::abs(residual) < 1e-15) break;
    }
    v += h * ((1 - rule.alpha) * a + rule.alpha * next);
    x = x_c + rule.beta * h * h * next;
    a = next;
    t += h;
  }
};

/// Largest |theta| over 500 s, or infinity if the run fails.
double peakAngle(const PointPendulum& pendulum, const NewmarkRule& rule, double h, double until) {
  TangentNewmark stepper(pendulum, pendulum.pointAt(0, 0), {rule, 1e-12, 50, false});
  double peak = 0;
  try {
    for (double t = h; t <= until; t += h) {
      stepper.advance(h);
      peak = tactus::rt::worst(peak, std::abs(pendulum.angleOf(stepper.point())));
    }
  } catch (const StepFailure&) { return HUGE_VAL; }
  return peak;
}

}  // namespace

TEST_CASE("a step of Newmark's rule on an oscillator has the amplification matrix of [TAN] (25) without its misprints",
          "[rt][offline]") {
  // Columns of the matrix are what a step makes of each unit vector of (h^2 a, h v, x).
  for (const NewmarkRule& rule : {kTrapezoidal, kFoxGoodwin, kLinear, NewmarkRule{0.6, 0.3}})
    for (const double damping : {0.0, 0.1}) {
      const double h = 0.2, omega = 1.7, O = omega * h, xi = damping;
      const Oscillator oscillator(omega, damping);
      Eigen::Matrix3d A;
      for (int k = 0; k < 3; ++k) {
        MotionPoint start = oscillator.pointAt(k == 2 ? 1 : 0, k == 1 ? 1 / h : 0);
        start.acceleration[0] = k == 0 ? 1 / (h * h) : 0;
        TangentNewmark stepper(oscillator, start, {rule, 1e-13, 50, false});
        stepper.advance(h);
        const MotionPoint& p = stepper.point();
        A.col(k) << h * h * p.acceleration[0], h * p.velocity[0], p.position[0];
      }
      const auto [alpha, beta] = rule;
      Eigen::Matrix3d expected;
      expected << 4 * (alpha - 1) * xi * O + O * O * (2 * beta - 1), -2 * O * O - 4 * xi * O, -2 * O * O,
          2 * (1 - alpha) + (2 * beta - alpha) * O * O, 2 + 2 * (beta - alpha) * O * O, -2 * alpha * O * O,
          (1 - 2 * beta) + (alpha - 2 * beta) * 2 * xi * O, 2 + (alpha - beta) * 4 * xi * O, 2 + 4 * alpha * xi * O;
      expected /= 2 + 4 * alpha * xi * O + 2 * beta * O * O;
      CHECK((A - expected).cwiseAbs().maxCoeff() < 1e-12);  // the tolerance of the iteration, 1e-13, and round-off
    }
}

TEST_CASE("newmark-tangent on a pendulum equals the same rule on the angle", "[rt][offline]") {
  const PointPendulum pendulum(9.8, 0.1);
  struct Case {
    NewmarkRule rule;
    std::vector<double> steps;
  };
  for (const Case& c : {Case{kTrapezoidal, {0.1, 0.7, 0.79}}, Case{kFoxGoodwin, {0.01, 0.1, 0.6, 0.7, 0.78}}})
    for (const double h : c.steps) {
      INFO("beta " << c.rule.beta << ", h " << h);
      TangentNewmark stepper(pendulum, pendulum.pointAt(0, 0), {c.rule, 1e-13, 50, false});
      ScalarNewmark scalar{pendulum, c.rule};
      scalar.a = pendulum.accelerationAt(0, 0);
      double worst = 0, rows = 0;
      for (int k = 0; k < 100; ++k) {
        stepper.advance(h);
        scalar.advance(h);
        const MotionPoint& p = stepper.point();
        worst = tactus::rt::worst(worst, std::abs(pendulum.angleOf(p) - scalar.x));
        rows = std::max({rows, pendulum.constraints(p).norm(), (pendulum.jacobian(p) * p.velocity).norm(),
                         (pendulum.jacobian(p) * p.acceleration - pendulum.gamma(p)).norm()});
      }
      // The tangent at the new point is not the arc: a difference of the third order in the small swing remains. Close
      // to the stability limit, 0.78246 s, the swing grows and the difference with it.
      CHECK(worst < (h < 0.75 ? 1e-6 : 5e-5));
      CHECK(rows < 1e-12);
    }
}

TEST_CASE("newmark-tangent is stable for the steps in the table of the stiff pendulum and unstable above them",
          "[rt][offline][slow]") {
  const PointPendulum pendulum(9.8, 0.1);
  const double reference = 0.01053717, bound = 10 * reference;
  for (const double h : {0.01, 0.1, 0.6, 0.7, 0.78}) CHECK(peakAngle(pendulum, kFoxGoodwin, h, 500) < bound);
  CHECK(peakAngle(pendulum, kFoxGoodwin, 0.79, 500) > bound);
  for (const double h : {0.1, 0.7, 0.79, 6.0}) CHECK(peakAngle(pendulum, kTrapezoidal, h, 500) < bound);
}

TEST_CASE("newmark-tangent reports the frequency and the stable step of the pendulum", "[rt][offline]") {
  const PointPendulum pendulum(9.8, 0.1);
  TangentNewmark stepper(pendulum, pendulum.pointAt(0, 0), {kFoxGoodwin, 1e-13, 50, true});
  for (int k = 0; k < 20; ++k) stepper.advance(0.1);
  // The printed limit has five digits; the swing of 0.01 rad changes the frequency by 1e-5.
  CHECK(stepper.statistics().omega_max == Approx(std::sqrt(9.8)).epsilon(1e-4));
  CHECK(stepper.statistics().step_limit == Approx(0.78246).epsilon(1e-4));
  CHECK(std::isinf(newmarkStepLimit(kTrapezoidal, 3)));
}

TEST_CASE("newmark-tangent gives the same motion with repeated rows and shares the load evenly among them",
          "[rt][offline]") {
  const PointPendulum once(9.8), thrice(9.8, 0, 3);
  TangentNewmark a(once, once.pointAt(1, 0.5), {}), b(thrice, thrice.pointAt(1, 0.5), {});
  for (int k = 0; k < 100; ++k) {
    a.advance(0.01);
    b.advance(0.01);
  }
  CHECK((a.point().position - b.point().position).norm() < 1e-12);  // the tolerance of the iteration, over 100 steps
  // The smallest multipliers share the load evenly.
  for (int k = 0; k < 3; ++k) CHECK(3 * b.point().lambda[k] == Approx(a.point().lambda[0]));
}
