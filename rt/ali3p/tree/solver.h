// The phases of a step along the nodes of the tree.
#pragma once

#include "rt/ali3p/solver.h"
#include "rt/ali3p/team.h"
#include "rt/ali3p/tree/solve.h"
#include "rt/ali3p/tree/workspace.h"

namespace tactus::rt {

/// A StepSolver for every mechanism: see rt/ali3p/solver.h for its members. The threads of a team share the units of
/// the Plan (rt/plan/units.h). They synchronize once on the way up and, where units meet a trunk, once on the way down.
/// Steps with an unsymmetric tangent are done by the first thread alone.
class TreeSolver {
 public:
  using Workspace = TreeWorkspace;

  /// @param ws  of the whole team
  TreeSolver(const StepTask& task, TreeWorkspace& ws, const Team& team) noexcept;

  void predict(const State& from) noexcept;
  void load(const State& state) noexcept;

  template <class Decide>
  void sweepUp(Level level, bool must, double leak, Decide&& decide) noexcept {
    if (idles()) return;
    if (!isShared()) {
      const bool is_wanted = decide();
      if (is_wanted || must) factorTangent(level);
      sweepUp(level, leak);
      return;
    }
    // Tries the sweep with the last tangent: deciding first would take one more synchronization.
    climb(level, leak, must);
    const bool is_wanted = decide();
    if (is_wanted && !must) climb(level, leak, true);
    climbTrunk(level, is_wanted || must);
  }
  void sweepDown(Level next) noexcept;
  void finish(const State& from, State& to) noexcept;

  int accelerationPasses() const noexcept { return task_.settings.order() - (has_inertia_gain_ ? 0 : 1); }
  Level moved() const noexcept { return moved_; }
  double increment() const noexcept { return increment_; }
  double violation(Level level) const noexcept { return violation_[indexOf(level)]; }
  bool positive() const noexcept { return positive_; }
  int factorizations() const noexcept { return factorizations_; }
  int limited() const noexcept { return limited_; }
  bool leads() const noexcept { return team_.thread == 0; }
  static bool isFinite(const StepReport& report, const State& state) noexcept;

 private:
  TreeWorkspace& work() const noexcept { return *ws_; }
  /// The threads share the step; else the first thread does it in `all_`, and the others idle.
  bool isShared() const noexcept { return team_.threads > 1 && !mine_.alone; }
  bool idles() const noexcept { return team_.threads > 1 && mine_.alone && team_.thread > 0; }
  TreeExchange::Side& side() const noexcept { return all_.exchange.sides[mine_.side]; }
  /// The units of this thread, up to the trunk: their tangent if `factors`, right sides, forward substitution. Passes
  /// on what the other threads need, and synchronizes.
  void climb(Level level, double leak, bool factors) noexcept;
  void climbTrunk(Level level, bool factors) noexcept;
  void descend(Solution solution) noexcept;
  void rightSide(Level level, double leak) noexcept;
  /// Passes the motions and multipliers on that other threads need for the trunk, and takes theirs.
  void exchangeMotions() noexcept;
  void publishTotals() const noexcept;
  void gatherTotals() noexcept;
  void finishShared(const State& from, State& to) noexcept;
  void keepSquares(Level level, double violation) noexcept;
  void factorTangent(Level level) noexcept;
  void sweepUp(Level level, double leak) noexcept;
  /// Right side of a velocity pass; the first pass filters the compliant rows, with two solves of its own.
  void filterOrProject() noexcept;
  void evaluateAfterPositions(Level next) noexcept;
  void evaluateAfterVelocities(Level next) noexcept;

  const StepTask task_;
  const double scale_;  ///< dt^2 / 4
  const Team team_;
  TreeWorkspace& all_;   ///< of the team
  TreeWorkspace& mine_;  ///< of this thread
  TreeWorkspace* ws_;    ///< one of them: what this thread works with
  Level moved_ = Level::kNone;
  Level level_ = Level::kNone;            ///< of the solve that is going on
  bool lacks_damping_ = false;            ///< the multipliers of compliant rows are without the forces of their dampers
  bool has_projected_compliant_ = false;  ///< the velocities of compliant rows have been filtered
  double violation_[3] = {0, 0, 0};
  double increment_ = 0;
  bool positive_ = true, has_inertia_gain_ = false;
  int factorizations_ = 0, limited_ = 0;
  // Of a thread in a team: what is its own in the numbers above.
  double own_increment_ = 0;
  bool own_positive_ = true;
  int own_limited_ = 0;
};

static_assert(StepSolver<TreeSolver>);

}  // namespace tactus::rt
