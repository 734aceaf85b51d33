// The tree solver by itself: what it evaluates after each sweep, and what it writes.
// Covers: rt/ali3p/tree/commit.cpp
#include "rt/ali3p/tree/solver.h"
#include "rt/ali3p/workspace.h"

#include "rt/ali3p/compile_plan.h"
#include "rt/ali3p/step.h"
#include "rt/ali3p/trapezoidal_step.h"
#include "rt/mechanics/initial_state.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"
#include "tests/support/simulation.h"

#include <catch2/catch.hpp>

using namespace tactus;
using namespace tactus::tests;

namespace {

struct Run {
  rt::Model model;
  rt::Plan plan;
  rt::Settings settings;
  rt::TreeWorkspace ws;
  rt::State from, to;

  explicit Run(const rt::ModelSpec& spec)
      : model(rt::buildModel(spec)),
        plan(rt::compilePlan(model, rt::LaneRule::kNone)),
        settings(settingsFor(1e-3)),
        ws(model, plan),
        from(rt::initialState(model).state),
        to(from) {}

  rt::StepTask task() const { return {model, plan, settings, {settings.dt(), settings.dt()}, {}}; }
};

constexpr auto kNever = []() noexcept { return false; };

}  // namespace

TEST_CASE("a step over the tree solver is the step of the tick", "[rt][ali3p]") {
  Run run(randomTree(8, JointMix::kMixed, 4));
  rt::TreeSolver solver(run.task(), run.ws, rt::Team{});
  const rt::StepReport report = rt::trapezoidalStep(run.task(), solver, run.from, run.to);
  rt::Workspace ws(run.model, run.plan);
  rt::State stepped = run.from;
  const rt::StepReport expected = rt::step(run.model, run.plan, run.settings, {}, stepped, ws);
  CHECK(report.increment == expected.increment);
  CHECK(report.constraint_acceleration == expected.constraint_acceleration);
  CHECK(run.to.values() == stepped.values());
  CHECK(rt::TreeSolver::isFinite(report, run.to));
}

TEST_CASE("each solve of the tree shrinks the violation of its level", "[rt][ali3p]") {
  Run run(randomTree(8, JointMix::kMixed, 4));
  rt::TreeSolver solver(run.task(), run.ws, rt::Team{});
  CHECK(solver.moved() == rt::Level::kNone);
  solver.predict(run.from);
  const double predicted = solver.violation(rt::Level::kPosition);
  solver.sweepUp(rt::Level::kPosition, true, 0, kNever);
  CHECK(solver.factorizations() == 1);
  solver.sweepDown(rt::Level::kVelocity);
  CHECK(solver.moved() == rt::Level::kPosition);
  CHECK(solver.increment() > 0);
  CHECK(solver.violation(rt::Level::kPosition) < 1e-2 * predicted);  // an iteration contracts by 1e-2 or better here
  const double unclean = solver.violation(rt::Level::kVelocity);
  solver.sweepUp(rt::Level::kVelocity, false, 0, kNever);
  solver.sweepDown(rt::Level::kAcceleration);
  CHECK(solver.factorizations() == 1);
  CHECK(solver.violation(rt::Level::kVelocity) < 1e-2 * unclean);  // as above
  solver.sweepUp(rt::Level::kAcceleration, false, 0, []() noexcept { return true; });
  CHECK(solver.factorizations() == 2);
  solver.finish(run.from, run.to);
  CHECK(solver.moved() == rt::Level::kAcceleration);
  CHECK(solver.positive());
  CHECK(run.to.tick == run.from.tick);
  CHECK(run.to.values() != run.from.values());
}

TEST_CASE("a finished state is loaded as it was written", "[rt][ali3p]") {
  Run run(randomTree(8, JointMix::kMixed, 4));
  rt::TreeSolver solver(run.task(), run.ws, rt::Team{});
  rt::trapezoidalStep(run.task(), solver, run.from, run.to);
  const double velocity = solver.violation(rt::Level::kVelocity);
  rt::TreeSolver again(run.task(), run.ws, rt::Team{});
  again.load(run.to);
  CHECK(again.moved() == rt::Level::kPosition);
  // Angles of State may count further turns; velocities in world axes are rotated once more: round-off.
  CHECK(again.violation(rt::Level::kVelocity) == Approx(velocity).epsilon(0).margin(1e-12));
}
