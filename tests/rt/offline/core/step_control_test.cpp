// Steps chosen by the methods on the index-3 equations.
// Covers: rt/offline/core/newton_monitor.h
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/offline/core/newton_monitor.h"
#include "rt/offline/integrator.h"
#include "tests/rt/offline/plain_systems.h"
#include "tests/support/compare.h"
#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace tactus;
using namespace tactus::tests;
using namespace tactus::rt::offline;

namespace {

const std::vector<std::string> kControlled = {"lms2", "esdirk32-4l", "esdirk32-5l", "esdirk43-6l"};

std::vector<std::string> controlled(const std::string& tolerance) {
  return {"adaptive=true", "rtol=" + tolerance, "atol=" + tolerance};
}

Trajectory runOn(const rt::ModelSpec& spec, const std::string& method, double step, double until,
                 const std::vector<std::string>& settings) {
  const rt::Model model = rt::buildModel(spec);
  Trajectory t =
      integrate({model, rt::initialState(model).state, {}, step, until, {until}, nullptr, {}}, method, settings);
  INFO(method << ": " << t.failure);
  CHECK(t.ending == Ending::kComplete);
  return t;
}

}  // namespace

TEST_CASE("controlled steps keep the tolerance on an oscillator, with more steps for a smaller tolerance",
          "[rt][offline]") {
  const NonlinearOscillator system;
  for (const std::string& name : kControlled) {
    INFO(name);
    const Method& method = findMethod(name);
    std::int64_t steps_before = 0;
    double exact = 0;
    for (const std::string tolerance : {"1e-10", "1e-4", "1e-6"}) {
      const auto stepper =
          method.make(system, system.pointAt(1, 0.5), OptionValues(name, method.options, controlled(tolerance)));
      while (stepper->point().t < 2 - 1e-12) stepper->advance(std::min(0.5, 2 - stepper->point().t));
      const double x = stepper->point().position[0];
      if (tolerance == "1e-10") {
        exact = x;
        continue;
      }
      // Local errors of 2 s add up.
      CHECK(std::abs(x - exact) < 20 * std::stod(tolerance));
      CHECK(stepper->statistics().steps > steps_before);
      steps_before = stepper->statistics().steps;
    }
  }
}

TEST_CASE("on index-3 equations a smaller tolerance of controlled steps gives a smaller error",
          "[rt][offline][mechanism]") {
  const rt::ModelSpec spec = doublePendulum();
  const rt::StateLayout layout(rt::buildModel(spec));
  const Trajectory exact =
      runOn(spec, "mcs-qr", 0.05, 1, {"rule=dormand-prince", "adaptive=true", "rtol=1e-11", "atol=1e-11"});
  const auto endOf = [&](const Trajectory& t) -> rt::Vector3d {
    return rt::StateView(layout, t.samples.back().state.data()).r(1);
  };
  for (const std::string& name : kControlled) {
    INFO(name);
    double before = 1;
    for (const std::string tolerance : {"1e-3", "1e-5"}) {
      const Trajectory t = runOn(spec, name, 0.2, 1, controlled(tolerance));
      const double error = (endOf(t) - endOf(exact)).norm();
      CAPTURE(tolerance, error, t.statistics.steps);
      // The two solutions of an ESDIRK method share the error of stage order 2, which their difference does not show.
      CHECK(error < 100 * std::stod(tolerance));
      CHECK(error < 0.3 * before);
      // An error of order 3 in the step must not take ever shorter steps.
      CHECK(t.statistics.steps < 2000);
      before = error;
    }
  }
}

TEST_CASE("controlled steps are short while the motion is fast and grow after it", "[rt][offline]") {
  // A stiff, damped oscillation dies out within 1 ms; afterwards steps grow to the limit.
  const Oscillator stiff(1e4, 1);
  for (const std::string& name : kControlled) {
    INFO(name);
    const Method& method = findMethod(name);
    const auto stepper =
        method.make(stiff, stiff.pointAt(0.1, 0), OptionValues(name, method.options, controlled("1e-4")));
    double shortest = 1, longest = 0;
    while (stepper->point().t < 1 - 1e-12) {
      const double before = stepper->point().t;
      stepper->advance(std::min(0.1, 1 - before));
      shortest = std::min(shortest, stepper->point().t - before);
      longest = std::max(longest, stepper->point().t - before);
    }
    // s: steps within the transient of 1 ms; steps of half the limit of 0.1 s after it. Of the start at 0.1 nothing is
    // left but the tolerance of 1e-4, ten times over.
    CHECK(shortest < 1e-3);
    CHECK(longest > 0.05);
    CHECK(std::abs(stepper->point().position[0]) < 1e-3);
  }
}

TEST_CASE("a method without an embedded solution refuses controlled steps", "[rt][offline]") {
  const Method& method = findMethod("msstc3");
  CHECK_THROWS_AS(OptionValues(method.name, method.options, {"adaptive=true"}), Error);
}

TEST_CASE("a Newton iteration that cycles has not converged, however loose its tolerance is", "[rt][offline]") {
  // Increments of 1 cm that no longer shrink; 0.1 mm are asked for.
  NewtonMonitor cycling(1e-4, 1, 30);
  for (int k = 1; k < 30; ++k) {
    cycling.take(0.01);
    REQUIRE_FALSE(cycling.converged());
  }
  CHECK_THROWS_AS(cycling.take(0.01), NoConvergence);
}

TEST_CASE("small increments that no longer shrink are round-off, which a singular pose magnifies", "[rt][offline]") {
  NewtonMonitor monitor(1e-11, 1, 30);
  while (!monitor.converged()) monitor.take(5e-8);
  CHECK(monitor.stays());
}
