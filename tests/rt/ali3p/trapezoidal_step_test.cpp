// The sequence of calls that a step makes of its solver, with a solver that only takes notes.
// Covers: rt/ali3p/solver.h, rt/ali3p/level.h
#include "rt/ali3p/trapezoidal_step.h"
#include "rt/model/model.h"

#include "rt/mechanics/initial_state.h"
#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>

#include <sstream>
#include <string>

using namespace tactus;
using namespace tactus::tests;

namespace {

constexpr const char* kNames[] = {"r", "v", "a", "-"};

/// Answers with violations and increments that a test prescribes.
class NoteTaker {
 public:
  void predict(const rt::State&) noexcept { calls << "predict "; }
  void load(const rt::State&) noexcept {
    calls << "load ";
    moved_ = rt::Level::kPosition;
  }
  template <class Decide>
  void sweepUp(rt::Level level, bool must, double leak, Decide&& decide) {
    const bool factors = decide() || must;
    calls << kNames[rt::indexOf(level)] << (factors ? "F" : "") << (leak > 0 ? "L" : "") << "^";
    level_ = level;
    factorizations_ += factors ? 1 : 0;
  }
  void sweepDown(rt::Level next) noexcept {
    calls << kNames[rt::indexOf(next)] << " ";
    moved_ = level_;
  }
  void finish(const rt::State&, rt::State&) noexcept { calls << "finish"; }

  int accelerationPasses() const noexcept { return acceleration_passes; }
  rt::Level moved() const noexcept { return moved_; }
  double increment() const noexcept { return 1e-3; }
  double violation(rt::Level level) const noexcept { return level == rt::Level::kVelocity ? velocity_violation : 0; }
  bool positive() const noexcept { return is_positive; }
  int factorizations() const noexcept { return factorizations_; }
  int limited() const noexcept { return 3; }
  bool leads() const noexcept { return false; }
  static bool isFinite(const rt::StepReport&, const rt::State&) noexcept { return true; }

  std::ostringstream calls;
  double velocity_violation = 0;
  int acceleration_passes = 1;
  bool is_positive = true;

 private:
  rt::Level moved_ = rt::Level::kNone, level_ = rt::Level::kNone;
  int factorizations_ = 0;
};
static_assert(rt::StepSolver<NoteTaker>);

rt::StepReport run(const rt::Settings& settings, NoteTaker& solver) {
  const rt::Model model = rt::buildModel(doublePendulum());
  const rt::Plan plan = rt::layOutPlan(model, rt::HubRule::kNone);
  const rt::State from = rt::initialState(model).state;
  rt::State to = from;
  return rt::trapezoidalStep({model, plan, settings, {1e-3, 1e-3}, {}}, solver, from, to);
}

std::string callsOf(const rt::Settings& settings) {
  NoteTaker solver;
  run(settings, solver);
  return solver.calls.str();
}

}  // namespace

TEST_CASE("a step solves positions, then velocities, then accelerations", "[rt][ali3p]") {
  rt::Settings settings;
  settings.refactor_above = 10;  // the monitor stays silent
  // Level of each solve, F where it factors, L where it forgets; then the level of the next solve.
  CHECK(callsOf(settings) == "predict rFL^r r^v v^v v^a a^finish");
  settings.iterations = 1;
  settings.velocity_passes = 0;
  CHECK(callsOf(settings) == "predict rFL^a a^finish");
  settings.iterations = 3;
  settings.velocity_passes = 1;
  settings.full_newton = true;
  CHECK(callsOf(settings) == "predict rFL^r rF^r rF^v v^a a^finish");
  NoteTaker thrice;
  thrice.acceleration_passes = 3;
  run(settings, thrice);
  CHECK(thrice.calls.str() == "predict rFL^r rF^r rF^v v^a a^a a^a a^finish");
}

TEST_CASE("the monitor has the tangent formed anew, once between the velocity passes", "[rt][ali3p]") {
  rt::Settings settings;
  settings.iterations = 3;
  settings.velocity_passes = 3;
  NoteTaker slow;  // increments that do not shrink
  run(settings, slow);
  CHECK(slow.calls.str() == "predict rFL^r r^r rF^v vF^v v^v v^a a^finish");
  settings.refactor_above = 10;
  NoteTaker violated;  // a violation that does not shrink
  violated.velocity_violation = 1e-3;
  run(settings, violated);
  CHECK(violated.calls.str() == "predict rFL^r r^r r^v v^v vF^v v^a a^finish");
}

TEST_CASE("a step reports what its solver has found", "[rt][ali3p]") {
  rt::Settings settings;
  settings.refactor_above = 10;
  NoteTaker solver;
  solver.velocity_violation = 1e-12;
  solver.is_positive = false;
  const rt::StepReport report = run(settings, solver);
  CHECK(report.status == rt::TickStatus::kNotPositive);
  CHECK(report.iterations == 2);
  CHECK(report.factorizations == 1);
  CHECK(report.limited == 3);
  CHECK(report.increment == 1e-3);
  CHECK(report.contraction == 1);
  CHECK(report.velocity_projection == 1e-3);
  CHECK(report.constraint_velocity == 1e-12);
}

TEST_CASE("a clean-up solves velocities and accelerations with the tangent at hand", "[rt][ali3p]") {
  const rt::State state = rt::initialState(rt::buildModel(doublePendulum())).state;
  rt::State cleaned = state;
  NoteTaker solver;
  rt::StepReport report;
  rt::cleanUp(solver, state, cleaned, report);
  CHECK(solver.calls.str() == "load v^a a^finish");
  NoteTaker twice;
  twice.acceleration_passes = 2;
  rt::cleanUp(twice, state, cleaned, report);
  CHECK(twice.calls.str() == "load v^a a^a a^finish");
}
