// The phases of a step along the groups of a forest.
#pragma once

#include "rt/ali3p/forest/lanes.h"
#include "rt/ali3p/solver.h"
#include "rt/ali3p/team.h"

namespace tactus::rt {

/// A StepSolver for forests: see rt/ali3p/solver.h for its members. Its results are those of TreeSolver except for the
/// order of the sums. It has no gyroscopic part: steps in which a body spins fast are those of TreeSolver.
///
/// The threads of a team share the units of the Plan. They synchronize once per solve, between the units and the trunk,
/// which each thread does for itself; results of the solve before are valid only after that point.
class ForestSolver {
 public:
  using Workspace = ForestWorkspace;

  ForestSolver(const StepTask& task, ForestWorkspace& ws, const Team& team) noexcept;

  void predict(const State& from) noexcept;
  void load(const State& state) noexcept;

  template <class Decide>
  void sweepUp(Level level, bool must, double /*leak*/, Decide&& decide) noexcept {  // these rows have no compliance
    bool factors = must;
    if (team_.threads == 1) {
      gatherMotion(level);
      factors = decide() || must;
      climbUnits(level, factors);
    } else {
      // Tries the sweep with the last tangent: deciding first would take one more synchronization.
      climbUnits(level, must);
      team_.wait();
      gatherMotion(level);
      if (decide() && !must) {
        factors = true;
        climbUnits(level, true);
        team_.wait();
      }
    }
    climbTrunk(level, factors);
  }
  void sweepDown(Level next) noexcept;
  /// Synchronizes the team once more.
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
  ForestPart partOf(int part) const noexcept;
  int trunk() const noexcept { return task_.plan.units(); }
  ForestTotals& totalsOf(int part) const noexcept;
  /// Calls f(part, totals) for the trunk, then for the units of this thread.
  template <class F>
  void forEachPart(F&& f) noexcept;
  void climbUnits(Level level, bool factors) noexcept;
  void climbTrunk(Level level, bool factors) noexcept;
  /// Loads of actuators and force elements, into the right sides for a solve at level `next`.
  void evaluateLoads(Level next) noexcept;
  void addEvaluatedLoads(Level next) noexcept;
  void formAdded() noexcept;
  /// @param next  level of the next solve
  void gatherMotion(Level next) noexcept;
  void gatherFactors() noexcept;
  bool hasLoads() const noexcept;

  const StepTask task_;
  const ForestContext context_;
  const Team team_;
  ForestWorkspace& ws_;
  ForestShare& share_;  ///< of this thread
  Level moved_ = Level::kNone;
  Level level_ = Level::kNone;  ///< of the solve that is going on
  double violation_[3] = {0, 0, 0};
  double increment_ = 0;
  bool positive_ = true, has_inertia_gain_ = false;
  int factorizations_ = 0, limited_ = 0;
};

static_assert(StepSolver<ForestSolver>);

}  // namespace tactus::rt
