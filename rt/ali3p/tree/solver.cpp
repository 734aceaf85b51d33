#include "rt/ali3p/tree/solver.h"

#include "rt/ali3p/step_end.h"
#include "rt/ali3p/tree/commit.h"
#include "rt/ali3p/tree/factor.h"
#include "rt/ali3p/tree/project.h"
#include "rt/ali3p/tree/residual.h"
#include "rt/ali3p/tree/solve.h"
#include "rt/ali3p/tree/tangent.h"
#include "rt/ali3p/tree/trapezoid.h"
#include "rt/math/lanes.h"
#include "rt/model/model.h"

#include <algorithm>

namespace tactus::rt {

namespace {

RightSide rightSideOf(Level level) noexcept {
  return level == Level::kVelocity ? RightSide::kRowsOnly : RightSide::kBodiesAndRows;
}

}  // namespace

TreeSolver::TreeSolver(const StepTask& task, TreeWorkspace& ws, const Team& team) noexcept
    : task_(task),
      scale_(0.25 * task.interval.length * task.interval.length),
      team_(team),
      all_(ws),
      mine_(team.threads > 1 ? ws.of_threads[static_cast<std::size_t>(team.thread)] : ws),
      ws_(team.threads > 1 && !mine_.alone ? &mine_ : &ws) {}

void TreeSolver::predict(const State& from) noexcept {
  const auto [dt, end] = task_.interval;
  if (team_.threads > 1) {
    // Each thread looks at all bodies, and decides as the others.
    findFastSpins(task_.model, dt, task_.settings, from, mine_.conditions);
    mine_.alone = mine_.conditions.any_spins_fast || task_.settings.gyroscopic_tangent;
    ws_ = mine_.alone ? &all_ : &mine_;
    if (idles()) return;
  }
  beginStep(task_.model, dt, end, task_.input, from, work().conditions);
  if (!isShared()) findFastSpins(task_.model, dt, task_.settings, from, work().conditions);
  recordStart(task_.model, from, work().iterate, work().rows, work().conditions);
  rt::predict(task_.model, dt, from, work().iterate);
  work().conditions.predicted = true;
  evaluateAfterPositions(Level::kPosition);
  work().conditions.predicted = false;
}

void TreeSolver::load(const State& state) noexcept {
  if (idles()) return;
  loadIterate(task_.model, state, work().iterate);
  // The internal states are those of this motion: nothing is left to be integrated.
  std::copy_n(state.view().internalStates(), task_.model.internal_states, work().conditions.internal_states.data());
  work().conditions.internal_dt = 0;
  moved_ = Level::kPosition;
  has_projected_compliant_ = true;  // in the steps that were combined
  evaluateAfterPositions(Level::kVelocity);
}

void TreeSolver::factorTangent(Level level) noexcept {
  const TreeWorkspace& ws = work();
  completeJacobian(work().rows);
  limited_ += formTangent(task_.model, task_.interval.length, level, task_.settings, ws.iterate, ws.conditions, ws.rows,
                          ws.loads, work().unknowns, work().tangent);
  has_inertia_gain_ = ws.tangent.has_inertia_gain;
  // ali3p (16)
  positive_ = factor(task_.plan, scale_, task_.model, ws.rows, ws.tangent, work().fronts) && positive_;
  ++factorizations_;
}

void TreeSolver::rightSide(Level level, double leak) noexcept {
  const Model& model = task_.model;
  const TreeWorkspace& ws = work();
  if (level == Level::kPosition)
    positionRightSide(model, leak, ws.iterate, ws.conditions, ws.rows, ws.loads, ws.tangent, work().unknowns);
  else if (level == Level::kVelocity)
    filterOrProject();
  else
    accelerationRightSide(model, scale_, ws.iterate, ws.conditions, ws.rows, ws.loads, ws.tangent, work().unknowns);
}

void TreeSolver::sweepUp(Level level, double leak) noexcept {
  const TreeWorkspace& ws = work();
  rightSide(level, leak);
  // ali3p (16)
  substituteForward(task_.plan, rightSideOf(level), ws.tangent, ws.fronts, work().unknowns);
  level_ = level;
}

void TreeSolver::filterOrProject() noexcept {
  const Model& model = task_.model;
  const TreeWorkspace& ws = work();
  if (has_projected_compliant_ || model.compliant_laws.empty())
    return velocityRightSide(model, ws.conditions, ws.rows, work().unknowns);
  const auto solve = [&]() noexcept {
    substituteForward(task_.plan, RightSide::kNodeRowsOnly, ws.tangent, ws.fronts, work().unknowns);
    substituteBack(task_.plan, ws.tangent, ws.fronts, work().unknowns, Solution::kRowsOnly);
  };
  // The third and last solve is that of the pass itself.
  beginFilter(model, task_.interval.length, ws.conditions, ws.rows, ws.tangent, work().unknowns);
  solve();
  continueFilter(model, ws.rows, ws.tangent, work().unknowns);
  solve();
  endFilter(model, ws.conditions, ws.rows, ws.tangent, work().unknowns);
}

void TreeSolver::sweepDown(Level next) noexcept {
  if (idles()) return;
  const TreeWorkspace& ws = work();
  // What a velocity pass moves are the bodies; its multipliers are not read.
  const Solution solution = level_ == Level::kVelocity ? Solution::kBodiesOnly : Solution::kBodiesAndRows;
  descend(solution);
  moved_ = level_;
  if (moved_ == Level::kPosition) {
    increment_ = applyIncrement(task_.model, task_.interval.length, ws.unknowns, work().iterate);
    exchangeMotions();
    evaluateAfterPositions(next);
  } else if (moved_ == Level::kAcceleration) {
    applyAcceleration(task_.model, scale_, ws.tangent, ws.unknowns, work().iterate);
    exchangeMotions();
  } else {
    // The multipliers of compliant rows follow the velocities, from those before the first pass to those after the
    // last.
    if (!lacks_damping_) addDamping(task_.model, -1, ws.conditions, ws.rows, work().iterate);
    increment_ = applyVelocity(task_.model, ws.unknowns, work().iterate);
    exchangeMotions();
    has_projected_compliant_ = true;
    evaluateAfterVelocities(next);
    lacks_damping_ = next == Level::kVelocity;
    if (!lacks_damping_) addDamping(task_.model, 1, ws.conditions, ws.rows, work().iterate);
  }
}

void TreeSolver::finish(const State& from, State& to) noexcept {
  if (idles()) return;
  const Model& model = task_.model;
  const TreeWorkspace& ws = work();
  descend(Solution::kBodiesAndRows);
  moved_ = level_;
  applyAcceleration(model, scale_, ws.tangent, ws.unknowns, work().iterate);
  exchangeMotions();
  keepSquares(Level::kAcceleration, accelerationViolation(model, ws.iterate, ws.conditions, ws.rows));
  if (isShared()) return finishShared(from, to);
  commit(model, from, ws.iterate, ws.conditions, ws.rows, ws.loads, to);
}

void TreeSolver::evaluateAfterPositions(Level next) noexcept {
  evaluateConstraints(task_.model, work().iterate, work().conditions, work().rows);
  keepSquares(Level::kPosition, positionViolation(work().rows));
  if (next != Level::kPosition) return evaluateAfterVelocities(next);
  evaluateDampedRates(task_.model, work().iterate, work().rows);
  evaluateLoads(task_.model, work().iterate.motions.data(), work().conditions, work().loads);
}

void TreeSolver::evaluateAfterVelocities(Level next) noexcept {
  keepSquares(Level::kVelocity, velocityViolation(task_.model, work().iterate, work().conditions, work().rows));
  if (next != Level::kAcceleration) return;
  // Sections of beams have the rigidity zero in plain steps, ali3p (30).
  evaluateGamma(task_.model, work().iterate, work().rows, task_.settings.order() > 2);
  evaluateLoads(task_.model, work().iterate.motions.data(), work().conditions, work().loads);
}

void TreeSolver::climb(Level level, double leak, bool factors) noexcept {
  const Plan& plan = task_.plan;
  TreeWorkspace& ws = mine_;
  mine_.side = 1 - mine_.side;
  if (factors) {
    completeJacobian(ws.rows);
    own_limited_ += formTangent(task_.model, task_.interval.length, level, task_.settings, ws.iterate, ws.conditions,
                                ws.rows, ws.loads, ws.unknowns, ws.tangent);
    ++factorizations_;
  }
  rightSide(level, leak);
  clearUnused(plan, ws.unknowns);
  double* const ports = side().ports.data();
  for (const int u : ws.iterate.share.units) {
    const PlanPart& unit = plan.parts[static_cast<std::size_t>(u)];
    if (factors) {
      own_positive_ = factorPart(plan, unit, scale_, task_.model, ws.rows, ws.tangent, ws.fronts) && own_positive_;
      for (int i = unit.first_update; i < unit.first_update + unit.update_count; ++i) {
        const FrontSpan& span = plan.updates[static_cast<std::size_t>(i)];
        std::copy_n(ws.fronts.symmetric.data() + span.first, span.count,
                    all_.exchange.updates.data() + all_.exchange.update_at[static_cast<std::size_t>(i)]);
      }
    }
    bringPart(plan, unit, rightSideOf(level), ws.unknowns);
    forwardPart(plan, unit, rightSideOf(level), ws.tangent, ws.fronts, ws.unknowns);
    std::copy_n(portsOf(plan, unit, ws.unknowns), unit.port_count, ports + unit.first_port);
  }
  publishTotals();
  team_.wait();
  gatherTotals();
}

void TreeSolver::climbTrunk(Level level, bool factors) noexcept {
  const Plan& plan = task_.plan;
  TreeWorkspace& ws = mine_;
  const TreeExchange& exchange = all_.exchange;
  level_ = level;
  if (factors) {
    for (int u = 0; u < plan.units(); ++u) {
      if (exchange.thread_of_part[static_cast<std::size_t>(u)] == team_.thread) continue;
      const PlanPart& unit = plan.parts[static_cast<std::size_t>(u)];
      for (int i = unit.first_update; i < unit.first_update + unit.update_count; ++i) {
        const FrontSpan& span = plan.updates[static_cast<std::size_t>(i)];
        std::copy_n(exchange.updates.data() + exchange.update_at[static_cast<std::size_t>(i)], span.count,
                    ws.fronts.symmetric.data() + span.first);
      }
    }
    own_positive_ =
        factorPart(plan, plan.trunk(), scale_, task_.model, ws.rows, ws.tangent, ws.fronts) && own_positive_;
  }
  bringPart(plan, plan.trunk(), rightSideOf(level), ws.unknowns);
  for (int u = 0; u < plan.units(); ++u) {
    const PlanPart& unit = plan.parts[static_cast<std::size_t>(u)];
    addPorts(plan, unit, side().ports.data() + unit.first_port, ws.unknowns);
  }
  forwardPart(plan, plan.trunk(), rightSideOf(level), ws.tangent, ws.fronts, ws.unknowns);
}

void TreeSolver::descend(Solution solution) noexcept {
  const Plan& plan = task_.plan;
  TreeWorkspace& ws = this->work();
  if (!isShared()) return substituteBack(plan, ws.tangent, ws.fronts, ws.unknowns, solution);
  const auto down = [&](const PlanPart& part) noexcept {
    backPart(plan, part, ws.tangent, ws.fronts, ws.unknowns, solution);
    takePart(plan, part, solution, ws.unknowns);
  };
  down(plan.trunk());
  const std::vector<int>& units = ws.iterate.share.units;
  for (auto u = units.rbegin(); u != units.rend(); ++u) down(plan.parts[static_cast<std::size_t>(*u)]);
}

void TreeSolver::exchangeMotions() noexcept {
  if (!isShared()) return;
  own_increment_ = increment_;
  TreeExchange& exchange = all_.exchange;
  TreeIterate& iterate = mine_.iterate;
  if (exchange.meeting_bodies.empty()) return;
  const auto forEachBody = [&](bool own, auto&& f) noexcept {
    for (std::size_t i = 0; i < exchange.meeting_bodies.size(); ++i) {
      const auto body = static_cast<std::size_t>(exchange.meeting_bodies[i]);
      const int thread = exchange.thread_of_part[static_cast<std::size_t>(task_.plan.part_of_body[body])];
      if ((thread == team_.thread) == own) f(exchange.motions[i], iterate.motions[body]);
    }
  };
  const auto forEachRow = [&](bool own, auto&& f) noexcept {
    double* passed = exchange.lambda.data();
    for (const int j : exchange.meeting_joints) {
      const Joint& joint = task_.model.joints[static_cast<std::size_t>(j)];
      const int part = task_.plan.part_of_joint[static_cast<std::size_t>(j)];
      if ((exchange.thread_of_part[static_cast<std::size_t>(part)] == team_.thread) == own)
        for (int k = 0; k < joint.row_count; ++k)
          f(passed[k], iterate.lambda[static_cast<std::size_t>(joint.first_row + k)]);
      passed += joint.row_count;
    }
  };
  const auto give = [](auto& passed, const auto& value) noexcept { passed = value; };
  const auto take = [](const auto& passed, auto& value) noexcept { value = passed; };
  forEachBody(true, give);
  forEachRow(true, give);
  team_.wait();
  forEachBody(false, take);
  forEachRow(false, take);
}

void TreeSolver::keepSquares(Level level, double violation) noexcept {
  violation_[indexOf(level)] = violation;  // of a thread in a team until gatherTotals()
  if (isShared())
    std::copy(mine_.rows.squares.begin(), mine_.rows.squares.end(), mine_.squares[indexOf(level)].begin());
}

void TreeSolver::publishTotals() const noexcept {
  TreeExchange::Side& to = side();
  for (int level = 0; level < 3; ++level) {
    const std::vector<double>& own = mine_.squares[level];
    for (const int u : mine_.iterate.share.units)
      to.squares[level][static_cast<std::size_t>(u)] = own[static_cast<std::size_t>(u)];
    if (leads()) to.squares[level].back() = own.back();
  }
  to.of_threads[static_cast<std::size_t>(team_.thread)] = {own_increment_, own_limited_, own_positive_,
                                                           mine_.tangent.has_inertia_gain};
}

void TreeSolver::gatherTotals() noexcept {
  const TreeExchange::Side& from = side();
  for (int level = 0; level < 3; ++level) violation_[level] = normOfSquares(from.squares[level]);
  increment_ = 0;
  limited_ = 0;
  positive_ = true;
  has_inertia_gain_ = false;
  for (const TreeExchange::OfThread& of : from.of_threads) {
    increment_ = worst(increment_, of.increment);
    limited_ += of.limited;
    positive_ = of.positive && positive_;
    has_inertia_gain_ = of.has_inertia_gain || has_inertia_gain_;
  }
}

void TreeSolver::finishShared(const State& from, State& to) noexcept {
  const TreeIterate& iterate = mine_.iterate;
  commitShare(task_.model, from, iterate, to);
  // The powers look at all bodies, and drives at their multipliers.
  for (std::size_t i = 0; i < iterate.share.own_bodies; ++i) {
    const auto body = static_cast<std::size_t>(iterate.share.moved[i]);
    all_.iterate.motions[body] = iterate.motions[body];
  }
  for (std::size_t i = 0; i < iterate.share.own_rows; ++i)
    for (auto row = static_cast<std::size_t>(iterate.share.rows[i].first);
         row < static_cast<std::size_t>(iterate.share.rows[i].end); ++row)
      all_.iterate.lambda[row] = iterate.lambda[row];
  mine_.side = 1 - mine_.side;
  publishTotals();
  team_.wait();
  gatherTotals();
  if (leads()) commitRest(task_.model, all_.iterate, mine_.conditions, mine_.rows, mine_.loads, to);
}

bool TreeSolver::isFinite(const StepReport&, const State& state) noexcept {
  return rt::isFinite(state);
}

}  // namespace tactus::rt
