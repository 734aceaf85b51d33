// Covers: rt/offline/schools.h, rt/offline/core/method.h, rt/offline/literal/methods.cpp
// Covers: rt/offline/minimal/methods.cpp, rt/offline/multistep/methods.cpp, rt/offline/newmark/methods.cpp
// Covers: rt/offline/real_time/methods.cpp, rt/offline/rosenbrock/methods.cpp, rt/offline/sundials/methods.cpp
#include "rt/offline/integrator.h"
#include "rt/error.h"
#include "rt/mechanics/initial_state.h"
#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>

#include <set>

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
