// The interface between the trapezoidal step and a solver. TreeSolver (tree/solver.h) solves every mechanism,
// ChainSolver (chain/solver.h) chains of bodies on spherical joints, ForestSolver (forest/solver.h) mechanisms without
// loops.
#pragma once

#include "rt/ali3p/level.h"
#include "rt/ali3p/settings.h"
#include "rt/plan/plan.h"
#include "rt/state/state.h"
#include "rt/tick_status.h"

#include <concepts>
#include <span>

namespace tactus::rt {

/// The span of one step, s; `end` counts from tick 0.
struct Interval {
  double length, end;
};

/// One step: what a solver needs to know about it.
struct StepTask {
  const Model& model;
  const Plan& plan;
  const Settings& settings;
  Interval interval;
  std::span<const double> input;  ///< of each actuator, at the end of the interval
};

/// A solver is made for one step, or for one clean-up, from a StepTask, its Workspace and a Team. Every thread of a
/// team makes the same calls in the same order, and gets the same answers.
///
/// A solve is a sweepUp() and a sweepDown(), or for the last one, of the accelerations, a sweepUp() and finish().
///
/// * predict(from): predicts the end of the step, and evaluates what the first position solve needs.
/// * load(state): takes a State as the iterate, and evaluates what a velocity solve needs; the tangent is that of the
///   step before.
/// * sweepUp(level, must, leak, decide): begins a solve. Calls `decide`; the tangent is formed and factored anew if
///   `must` is true or `decide` returns true. `leak`: factor of eps lambda on the right side, ali3p (15); above zero
///   only with `must`.
/// * sweepDown(next): ends a solve, moves the bodies and evaluates what a solve at level `next` needs. A further solve
///   for the accelerations is the only one that may follow a solve for the accelerations.
/// * finish(from, to): ends the solve for the accelerations and writes all of `to` but its tick and its work.
/// * accelerationPasses(): solves for the accelerations in a step of the order that the settings ask for, and one more
///   if the tangent has an inertiaGain(); the reasons are in rt/doc/ali3p.md, sections 8 and 2.
///
/// Results of a solve, valid from the next call of `decide` on, or after finish(), where the threads synchronize:
/// * moved(): level of the last solve; kNone after predict().
/// * increment(): largest increment of a body in it, m; rotations count with the model's length.
/// * violation(level): norm of the rows at a level, as last evaluated.
/// * positive(): false once a pivot was not positive. factorizations(), limited(): as in StepReport.
/// * leads(): true in exactly one thread of the team, the one that writes the work of the step.
/// * isFinite(report, state): true if every value of a state that finish() wrote is finite.
template <class S>
concept StepSolver = requires(S& solver, const S& done, const State& from, State& to, Level level, bool (*decide)(),
                              const StepReport& report) {
  solver.predict(from);
  solver.load(from);
  solver.sweepUp(level, true, 0.0, decide);
  solver.sweepDown(level);
  solver.finish(from, to);
  { done.accelerationPasses() } -> std::same_as<int>;
  { done.moved() } -> std::same_as<Level>;
  { done.increment() } -> std::same_as<double>;
  { done.violation(level) } -> std::same_as<double>;
  { done.positive() } -> std::same_as<bool>;
  { done.factorizations() } -> std::same_as<int>;
  { done.limited() } -> std::same_as<int>;
  { done.leads() } -> std::same_as<bool>;
  { S::isFinite(report, from) } -> std::same_as<bool>;
};

}  // namespace tactus::rt
