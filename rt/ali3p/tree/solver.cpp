#include "rt/ali3p/tree/solver.h"

#include "rt/ali3p/step_end.h"
#include "rt/ali3p/tree/commit.h"
#include "rt/ali3p/tree/factor.h"
#include "rt/ali3p/tree/project.h"
#include "rt/ali3p/tree/residual.h"
#include "rt/ali3p/tree/solve.h"
#include "rt/ali3p/tree/tangent.h"
#include "rt/ali3p/tree/trapezoid.h"
#include "rt/model/model.h"

#include <algorithm>

namespace tactus::rt {

TreeSolver::TreeSolver(const StepTask& task, TreeWorkspace& ws, const Team&) noexcept
    : task_(task), scale_(0.25 * task.interval.length * task.interval.length), ws_(ws) {}

void TreeSolver::predict(const State& from) noexcept {
  const auto [dt, end] = task_.interval;
  beginStep(task_.model, dt, end, task_.input, from, ws_.conditions);
  findFastSpins(task_.model, dt, task_.settings, from, ws_.conditions);
  recordStart(task_.model, from, ws_.iterate, ws_.rows, ws_.conditions);
  rt::predict(task_.model, dt, from, ws_.iterate);
  evaluateAfterPositions(Level::kPosition);
}

void TreeSolver::load(const State& state) noexcept {
  loadIterate(task_.model, state, ws_.iterate);
  // The internal states are those of this motion: nothing is left to be integrated.
  std::copy_n(state.view().internalStates(), task_.model.internal_states, ws_.conditions.internal_states.data());
  ws_.conditions.internal_dt = 0;
  moved_ = Level::kPosition;
  has_projected_compliant_ = true;  // in the steps that were combined
  evaluateAfterPositions(Level::kVelocity);
}

void TreeSolver::factorTangent() noexcept {
  const TreeWorkspace& ws = ws_;
  limited_ += formTangent(task_.model, task_.interval.length, task_.settings, ws.iterate, ws.conditions, ws.rows,
                          ws.loads, ws_.unknowns, ws_.tangent);
  positive_ = factor(task_.plan, scale_, task_.model, ws.rows, ws.tangent, ws_.fronts) && positive_;
  ++factorizations_;
}

void TreeSolver::sweepUp(Level level, double leak) noexcept {
  const Model& model = task_.model;
  const TreeWorkspace& ws = ws_;
  if (level == Level::kPosition)
    positionRightSide(model, leak, ws.iterate, ws.conditions, ws.rows, ws.loads, ws.tangent, ws_.unknowns);
  else if (level == Level::kVelocity)
    filterOrProject();
  else
    accelerationRightSide(model, scale_, ws.iterate, ws.conditions, ws.rows, ws.loads, ws.tangent, ws_.unknowns);
  const RightSide right_side = level == Level::kVelocity ? RightSide::kRowsOnly : RightSide::kBodiesAndRows;
  // ali3p (16)
  substituteForward(task_.plan, right_side, ws.tangent, ws.fronts, ws_.unknowns);
  level_ = level;
}

void TreeSolver::filterOrProject() noexcept {
  const Model& model = task_.model;
  const TreeWorkspace& ws = ws_;
  if (has_projected_compliant_ || model.compliant_laws.empty())
    return velocityRightSide(model, ws.conditions, ws.rows, ws_.unknowns);
  const auto solve = [&]() noexcept {
    substituteForward(task_.plan, RightSide::kRowsOnly, ws.tangent, ws.fronts, ws_.unknowns);
    substituteBack(task_.plan, ws.tangent, ws.fronts, ws_.unknowns, Solution::kRowsOnly);
  };
  // The third and last solve is that of the pass itself.
  beginFilter(model, task_.interval.length, ws.conditions, ws.rows, ws.tangent, ws_.unknowns);
  solve();
  continueFilter(model, ws.rows, ws.tangent, ws_.unknowns);
  solve();
  endFilter(model, ws.conditions, ws.rows, ws.tangent, ws_.unknowns);
}

void TreeSolver::sweepDown(Level next) noexcept {
  const TreeWorkspace& ws = ws_;
  // What a velocity pass moves are the bodies; its multipliers are not read.
  const Solution solution = level_ == Level::kVelocity ? Solution::kBodiesOnly : Solution::kBodiesAndRows;
  substituteBack(task_.plan, ws.tangent, ws.fronts, ws_.unknowns, solution);
  moved_ = level_;
  if (moved_ == Level::kPosition) {
    increment_ = applyIncrement(task_.model, task_.interval.length, ws.unknowns, ws_.iterate);
    evaluateAfterPositions(next);
  } else {
    // The multipliers of compliant rows follow the velocities, from those before the first pass to those after the
    // last.
    if (!lacks_damping_) addDamping(task_.model, -1, ws.conditions, ws.rows, ws_.iterate);
    increment_ = applyVelocity(task_.model, ws.unknowns, ws_.iterate);
    has_projected_compliant_ = true;
    evaluateAfterVelocities(next);
    lacks_damping_ = next == Level::kVelocity;
    if (!lacks_damping_) addDamping(task_.model, 1, ws.conditions, ws.rows, ws_.iterate);
  }
}

void TreeSolver::finish(const State& from, State& to) noexcept {
  const Model& model = task_.model;
  const TreeWorkspace& ws = ws_;
  substituteBack(task_.plan, ws.tangent, ws.fronts, ws_.unknowns);
  moved_ = level_;
  applyAcceleration(model, scale_, ws.tangent, ws.unknowns, ws_.iterate);
  violation_[indexOf(Level::kAcceleration)] = accelerationViolation(model, ws.iterate, ws.conditions, ws.rows);
  commit(model, from, ws.iterate, ws.conditions, ws.rows, ws.loads, to);
}

void TreeSolver::evaluateAfterPositions(Level next) noexcept {
  evaluateConstraints(task_.model, ws_.iterate, ws_.conditions, ws_.rows);
  violation_[indexOf(Level::kPosition)] = positionViolation(ws_.rows);
  if (next != Level::kPosition) return evaluateAfterVelocities(next);
  evaluateDampedRates(task_.model, ws_.iterate, ws_.rows);
  evaluateLoads(task_.model, ws_.iterate, ws_.conditions, ws_.loads);
}

void TreeSolver::evaluateAfterVelocities(Level next) noexcept {
  violation_[indexOf(Level::kVelocity)] = velocityViolation(task_.model, ws_.iterate, ws_.conditions, ws_.rows);
  if (next != Level::kAcceleration) return;
  // Sections of beams have the rigidity zero in plain steps, ali3p (30).
  evaluateGamma(task_.model, ws_.iterate, ws_.rows, task_.settings.third_order);
  evaluateLoads(task_.model, ws_.iterate, ws_.conditions, ws_.loads);
}

bool TreeSolver::isFinite(const StepReport&, const State& state) noexcept {
  return rt::isFinite(state);
}

}  // namespace tactus::rt
