// Covers: rt/offline/projected/projected_stepper.cpp
// Observed orders: nominal on an ordinary differential equation, lower where the index-3 equations take some away.
// Covers: rt/offline/newmark/classic_newmark.cpp, rt/offline/newmark/central_difference.cpp
// Covers: rt/offline/rosenbrock/adams.cpp, rt/offline/core/explicit_runge_kutta.cpp, rt/offline/core/dynamic_system.h
// Covers: rt/offline/core/runge_kutta_tables.cpp
#include "rt/offline/integrator.h"
#include "tests/rt/offline/plain_systems.h"

#include <catch2/catch.hpp>

#include <array>
#include <cmath>
#include <map>

using namespace tactus::rt::offline;
using namespace tactus::tests;

namespace {

/// x'' = f(t, x, v) by the classical Runge-Kutta method with steps so small that only round-off is left.
template <class Function>
std::array<double, 2> reference(double x, double v, double until, const Function& f) {
  const int steps = 20000;
  const double h = until / steps;
  for (int k = 0; k < steps; ++k) {
    const double k1 = f(x, v), k2 = f(x + h / 2 * v, v + h / 2 * k1);
    const double k3 = f(x + h / 2 * v + h * h / 4 * k1, v + h / 2 * k2);
    const double k4 = f(x + h * v + h * h / 2 * k2, v + h * k3);
    x += h * v + h * h / 6 * (k1 + k2 + k3);
    v += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return {x, v};
}

MotionPoint run(const Method& method, const DynamicSystem& system, const MotionPoint& start, double until, int steps,
                const std::vector<std::string>& settings) {
  const auto stepper = method.make(system, start, OptionValues(method.name, method.options, settings));
  for (int k = 0; k < steps; ++k) stepper->advance(until / steps);
  return stepper->point();
}

/// Errors of position, velocity and the single multiplier of the pendulum at 1 s.
std::array<double, 3> pendulumErrors(const Method& method, int steps, const std::vector<std::string>& settings) {
  const PointPendulum pendulum(9.8);
  const auto f = [&](double angle, double) { return pendulum.accelerationAt(0, angle); };
  static const std::array<double, 2> exact = reference(1, 0.5, 1, f);
  const MotionPoint expected = pendulum.pointAt(exact[0], exact[1]);
  const MotionPoint end = run(method, pendulum, pendulum.pointAt(1, 0.5), 1, steps, settings);
  return {(end.position - expected.position).norm(), (end.velocity - expected.velocity).norm(),
          std::abs(end.lambda[0] - expected.lambda[0])};
}

}  // namespace

TEST_CASE("every method has its nominal order on an ordinary differential equation", "[rt][offline][order]") {
  const NonlinearOscillator system;
  const auto exact = reference(1, 0.5, 2, [](double x, double v) { return -x - x * x * x - 0.2 * v; });
  for (const Method& method : methods()) {
    if (method.family == "ALi3p") continue;     // runs Models only
    if (method.family == "SUNDIALS") continue;  // chooses its orders
    INFO(method.name);
    // Steps at which the error is far above round-off and the next order no longer shows.
    const int steps = method.order >= 4 ? 20 : 160;
    std::vector<double> errors;
    for (const int n : {steps, 2 * steps, 4 * steps}) {
      const bool controlled = method.family == "Rosenbrock-Nystrom" || method.name == "projected";
      const MotionPoint end = run(method, system, system.pointAt(1, 0.5), 2, n,
                                  controlled ? std::vector<std::string>{"adaptive=false"} : std::vector<std::string>{});
      errors.push_back(std::hypot(end.position[0] - exact[0], end.velocity[0] - exact[1]));
    }
    // The next term of the error, which fades with the step.
    CHECK(std::log2(errors[0] / errors[1]) == Approx(method.order).margin(0.25));
    CHECK(std::log2(errors[1] / errors[2]) == Approx(method.order).margin(0.2));
  }
}

TEST_CASE("orders on the index-3 equations of a pendulum are those of stage order 2", "[rt][offline][order]") {
  struct Case {
    std::string method;
    std::vector<std::string> settings;
    double multiplier;  ///< order of lambda
  };
  std::vector<Case> cases;
  for (const std::string name : {"lms2", "lms3", "lms4", "ss2", "ss3", "ss4"})
    for (const std::string rho : {"rho_inf=0", "rho_inf=0.6"}) cases.push_back({name, {rho}, 2});
  for (const std::string name : {"bathe", "msstc3", "msstc4", "msstc5"})
    for (const std::string rho : {"rho_inf=0", "rho_inf=0.6"}) cases.push_back({name, {rho}, 1});
  for (const std::string name : {"mssth3", "mssth4", "mssth5", "esdirk32-4l", "esdirk32-5l", "esdirk43-6l"})
    cases.push_back({name, {}, 1});
  cases.push_back({"newmark-tangent", {}, 2});
  for (Case& c : cases) {
    INFO(c.method << (c.settings.empty() ? "" : " " + c.settings.front()));
    const Method& method = findMethod(c.method);
    const auto coarse = pendulumErrors(method, 160, c.settings), fine = pendulumErrors(method, 320, c.settings);
    // The next term of the error; multipliers are a second derivative and have more of it.
    CHECK(std::log2(coarse[0] / fine[0]) == Approx(2).margin(0.25));
    CHECK(std::log2(coarse[1] / fine[1]) == Approx(2).margin(0.25));
    CHECK(std::log2(coarse[2] / fine[2]) == Approx(c.multiplier).margin(0.35));
  }
}

TEST_CASE("methods without multipliers keep their order on the constraints of a pendulum", "[rt][offline][order]") {
  struct Case {
    std::string method;
    std::vector<std::string> settings;
    int steps;
    double order;
  };
  const std::vector<Case> cases = {{"mcs-qr", {}, 20, 4},
                                   {"mcs-svd", {}, 20, 4},
                                   {"mcs-eigen", {}, 20, 4},
                                   {"mcs-qr", {"rule=dormand-prince"}, 10, 5},
                                   {"projected", {"adaptive=false"}, 10, 5},
                                   {"rn4", {"adaptive=false"}, 40, 4},
                                   {"rn4", {"adaptive=false", "coordinates=orthonormal"}, 40, 4},
                                   {"ros2-w", {"adaptive=false"}, 320, 2},
                                   {"adams", {"adaptive=false"}, 80, 4},
                                   {"central-difference", {}, 160, 2}};
  for (const Case& c : cases) {
    INFO(c.method << (c.settings.empty() ? "" : " " + c.settings.back()));
    const Method& method = findMethod(c.method);
    const auto coarse = pendulumErrors(method, c.steps, c.settings),
               fine = pendulumErrors(method, 2 * c.steps, c.settings);
    // Where the errors of a run happen to cancel, the next order shows.
    CHECK(std::log2(std::hypot(coarse[0], coarse[1]) / std::hypot(fine[0], fine[1])) > c.order - 0.4);
  }
}

TEST_CASE("newmark-classic fails on constraints: its multipliers do not converge, and Fox-Goodwin diverges",
          "[rt][offline][order]") {
  const Method& method = findMethod("newmark-classic");
  // The trapezoidal rule: positions of order 2, multipliers that swing and do not converge.
  const auto coarse = pendulumErrors(method, 160, {}), fine = pendulumErrors(method, 320, {});
  CHECK(std::log2(coarse[0] / fine[0]) == Approx(2).margin(0.3));
  CHECK(fine[2] > 0.3 * coarse[2]);
  // Fox-Goodwin: the constraint is an infinite frequency; any step grows without bound.
  for (const int steps : {20, 100, 500}) {
    double size = 0;
    try {
      const auto errors = pendulumErrors(method, steps, {"scheme=fox-goodwin"});
      size = errors[1];
    } catch (const StepFailure&) { size = HUGE_VAL; }
    CHECK(size > 1);
  }
}

TEST_CASE("the multistep methods keep their order with changing steps", "[rt][offline][order]") {
  const NonlinearOscillator system;
  const auto exact = reference(1, 0.5, 2, [](double x, double v) { return -x - x * x * x - 0.2 * v; });
  for (const std::string name : {"lms2", "lms3", "ss2", "ss3", "ss4"}) {
    INFO(name);
    const Method& method = findMethod(name);
    std::vector<double> errors;
    for (const int n : {50, 100, 200}) {
      const auto stepper = method.make(system, system.pointAt(1, 0.5), OptionValues(name, method.options, {}));
      // Steps in the pattern 1 : 1.2 : 0.8, eight of each in a row so that restarts do not make up the run.
      const double h = 2.0 / (24 * n / 2);
      for (int k = 0; k < n / 2; ++k)
        for (const double w : {1.0, 1.2, 0.8})
          for (int i = 0; i < 8; ++i) stepper->advance(w * h);
      errors.push_back(std::hypot(stepper->point().position[0] - exact[0], stepper->point().velocity[0] - exact[1]));
    }
    // The next term of the error.
    CHECK(std::log2(errors[0] / errors[1]) == Approx(2).margin(0.25));
    CHECK(std::log2(errors[1] / errors[2]) == Approx(2).margin(0.25));
  }
}
