// Covers: rt/offline/schools.h, rt/offline/core/method.h, rt/offline/literal/methods.cpp
// Covers: rt/offline/minimal/methods.cpp, rt/offline/multistep/methods.cpp, rt/offline/newmark/methods.cpp
// Covers: rt/offline/projected/methods.cpp, rt/offline/real_time/methods.cpp, rt/offline/rosenbrock/methods.cpp, rt/offline/sundials/methods.cpp
#include "rt/offline/integrator.h"
#include "rt/error.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "tests/support/mechanisms.h"
#include "tests/support/pushed_brick.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <set>
#include <span>

using namespace tactus;
using namespace tactus::rt::offline;
using Catch::Matchers::Contains;

namespace {

struct Pendulum {
  rt::Model model = rt::buildModel(tests::doublePendulum());
  Problem problem(double step, double until) const {
    return {model, rt::initialState(model).state, {}, step, until, {}, nullptr, {}};
  }
};

/// A force of 2 N behind 0.5 s; at 0.5 s itself the value before holds, as in a tick.
void pushFromHalfASecond(double t, std::span<double> values) {
  values[0] = t > 0.5 ? 2 : 0;
}

}  // namespace

TEST_CASE("every method is listed once and accepts its own defaults", "[rt][offline]") {
  std::set<std::string> names;
  for (const Method& method : methods()) {
    INFO(method.name);
    CHECK(names.insert(method.name).second);
    CHECK(method.order >= 1);
    CHECK_FALSE(method.summary.empty());
    CHECK_FALSE(method.stability.empty());
    for (const Option& option : method.options)
      CHECK_NOTHROW(OptionValues(method.name, method.options, {option.name + '=' + option.value}));
  }
}

TEST_CASE("a run with an unknown method, a bad step or bad times is refused with its reason", "[rt][offline]") {
  const Pendulum pendulum;
  CHECK_THROWS_WITH(integrate(pendulum.problem(1e-2, 1), "newmark-tangend"), Contains("'newmark-tangent'"));
  CHECK_THROWS_WITH(integrate(pendulum.problem(3e-2, 1), "ali3p"), Contains("not a whole number of steps"));
  CHECK_THROWS_WITH(integrate(pendulum.problem(0, 1), "ali3p"), Contains("step"));
  Problem problem = pendulum.problem(1e-2, 1);
  problem.times = {0.1, 0.123};
  CHECK_THROWS_WITH(integrate(problem, "ali3p"), Contains("time 0.123"));
  problem.times = {0.2, 0.1};
  CHECK_THROWS_WITH(integrate(problem, "ali3p"), Contains("rise"));
}

TEST_CASE("a run returns every step, or the requested times", "[rt][offline]") {
  const Pendulum pendulum;
  const Trajectory all = integrate(pendulum.problem(1e-2, 0.1), "ali3p");
  REQUIRE(all.samples.size() == 11);
  CHECK(all.samples.back().t == Approx(0.1));
  CHECK(all.statistics.steps == 10);
  Problem problem = pendulum.problem(1e-2, 0.1);
  problem.times = {0.05, 0.1};
  const Trajectory some = integrate(problem, "ali3p");
  REQUIRE(some.samples.size() == 3);
  CHECK(some.samples[1].t == 0.05);
  CHECK(some.samples[1].state == all.samples[5].state);
}

TEST_CASE("a run that is interrupted or fails returns the steps that it has done", "[rt][offline]") {
  const Pendulum pendulum;
  const std::atomic<bool> interrupt{true};
  Problem problem = pendulum.problem(1e-2, 1);
  problem.interrupt = &interrupt;
  const Trajectory interrupted = integrate(problem, "ali3p");
  CHECK(interrupted.ending == Ending::kInterrupted);
  CHECK(interrupted.samples.size() == 2);

  // Steps of 0.5 s cannot be solved to round-off in one iteration.
  const Trajectory failed = integrate(pendulum.problem(0.5, 5), "newmark-tangent", {"iterations=2"});
  CHECK(failed.ending == Ending::kFailed);
  CHECK_FALSE(failed.samples.empty());
  CHECK_THAT(failed.failure, Contains("newmark-tangent stopped at t = ") && Contains("no convergence"));
}

TEST_CASE("a method that chooses its steps begins anew where the input jumps", "[rt][offline]") {
  // 2 kg pushed by 2 N from 0.5 s on: v = 0.5 m/s and r = 0.125 m at 1 s, to the round-off of a constant force.
  const rt::Model model = rt::buildModel(tests::pushedBrick());
  for (const char* name : {"mcs-qr", "rn4", "projected"}) {
    INFO(name);
    const Problem problem{model, rt::initialState(model).state, pushFromHalfASecond, 0.3, 1, {1}, nullptr, {}, {0.5}};
    std::vector<std::string> settings = {"adaptive=true"};
    if (std::string(name) == "mcs-qr") settings.emplace_back("rule=dormand-prince");
    const Trajectory t = integrate(problem, name, settings);
    const rt::StateView begin(rt::StateLayout(model), t.samples.front().state.data());
    const rt::StateView end(rt::StateLayout(model), t.samples.back().state.data());
    CHECK(end.v(0).x() == Approx(0.5).epsilon(1e-12));                     // round-off
    CHECK(end.r(0).x() - begin.r(0).x() == Approx(0.125).epsilon(1e-12));  // round-off
    CHECK(t.statistics.steps < 40);  // a jump within a step would be halved down to nothing
  }
}

TEST_CASE("a method with a fixed step takes a jump of the input within the order one of a step", "[rt][offline]") {
  rt::ModelSpec driven = tests::pushedBrick();
  // A fan that a drive turns, apart from the brick.
  driven.bodies.push_back(tests::makeBody("fan", {0, 5, 0}));
  driven.bodies[1].angular_velocity = rt::Vector3d(0, 0, 1);
  driven.joints = {
      tests::makeJoint("axle", "ground", "fan",
                       rt::RevoluteSpec{{0, 5, 0}, {0, 0, 0}, rt::Vector3d::UnitZ(), rt::Vector3d::UnitZ(), 0})};
  rt::DriveSpec turn;
  turn.name = "turn";
  turn.target = rt::DrivenAngleSpec{"axle"};
  turn.function = rt::PolynomialSpec{{0, 1}};
  driven.drives = {turn};
  for (const rt::ModelSpec& spec : {tests::pushedBrick(), driven}) {
    const rt::Model model = rt::buildModel(spec);
    for (const char* name : {"rn4", "ros2-w", "mcs-qr"}) {
      INFO(spec.name << ", drives " << spec.drives.size() << ", " << name);
      const double step = 0.05;
      const Problem problem{model, rt::initialState(model).state, pushFromHalfASecond, step, 1, {1}, nullptr, {}};
      const Trajectory t = integrate(problem, name, {"adaptive=false"});
      INFO(t.failure);
      REQUIRE(t.ending == Ending::kComplete);
      // Half a second at 1 m/s^2. Before and behind the jump the rules are exact; the step over it may take either
      // force.
      const rt::StateView end(rt::StateLayout(model), t.samples.back().state.data());
      CHECK(std::abs(end.v(0).x() - 0.5) <= step);
      CHECK(std::abs(end.r(0).x() - 0.125) <= 0.5 * step);
    }
  }
}

TEST_CASE("an interrupt ends a run from within a step", "[rt][offline]") {
  const Pendulum pendulum;
  const std::atomic<bool> interrupt{true};
  Problem problem = pendulum.problem(1e-2, 1);
  problem.interrupt = &interrupt;
  for (const char* name : {"mcs-qr", "rn4", "projected", "lms2", "newmark-tangent"}) {
    INFO(name);
    const Trajectory t = integrate(problem, name);
    CHECK(t.ending == Ending::kInterrupted);
    CHECK(t.samples.size() == 1);
    CHECK(t.failure.empty());
  }
}
