#include "rt/error.h"
#include "rt/mechanics/initial_state.h"
#include "rt/offline/integrator.h"
#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>

#include <set>

using namespace tactus;
using namespace tactus::rt::offline;
using Catch::Matchers::Contains;

namespace {

const std::vector<Option> kOptions = {number("rho_inf", "0.6", 0, 1, "damping"), integer("passes", 2, 1, 9, "passes"),
                                      boolean("full", false, "all"), choice("kind", "a", {"a", "b"}, "which")};

OptionValues parse(const std::vector<std::string>& settings) {
  return OptionValues("sample", kOptions, settings);
}

struct Pendulum {
  rt::Model model = rt::buildModel(tests::doublePendulum());
  Problem problem(double step, double until) const {
    return {model, rt::initialState(model).state, {}, step, until, {}, nullptr, {}};
  }
};

}  // namespace

TEST_CASE("options have their defaults until they are set", "[rt][offline]") {
  const OptionValues values = parse({"rho_inf=0.25", "full=true"});
  CHECK(values.number("rho_inf") == 0.25);
  CHECK(values.given("rho_inf"));
  CHECK(values.integer("passes") == 2);
  CHECK_FALSE(values.given("passes"));
  CHECK(values.boolean("full"));
  CHECK(values.choice("kind") == "a");
}

TEST_CASE("a wrong option is refused with what would be right", "[rt][offline]") {
  CHECK_THROWS_WITH(parse({"rho_imf=0"}), Contains("no option 'rho_imf'") && Contains("'rho_inf'"));
  CHECK_THROWS_WITH(parse({"xyz=0"}), Contains("it has rho_inf, passes, full, kind"));
  CHECK_THROWS_WITH(parse({"rho_inf"}), Contains("not KEY=VALUE"));
  CHECK_THROWS_WITH(parse({"rho_inf=1.5"}), Contains("0 ... 1"));
  CHECK_THROWS_WITH(parse({"rho_inf=nan"}), Contains("0 ... 1"));
  CHECK_THROWS_WITH(parse({"rho_inf=0.5x"}), Contains("0 ... 1"));
  CHECK_THROWS_WITH(parse({"passes=2.5"}), Contains("whole number, 1 ... 9"));
  CHECK_THROWS_WITH(parse({"full=yes"}), Contains("true or false"));
  CHECK_THROWS_WITH(parse({"kind=c"}), Contains("a, b"));
}

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

TEST_CASE("a run that cannot begin says why", "[rt][offline]") {
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

TEST_CASE("a run keeps every step, or the times that were asked for", "[rt][offline]") {
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

TEST_CASE("a run that is interrupted or fails keeps what it has", "[rt][offline]") {
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
