// The phases of a step along the nodes of the tree.
#pragma once

#include "rt/ali3p/solver.h"
#include "rt/ali3p/team.h"
#include "rt/ali3p/tree/workspace.h"

namespace tactus::rt {

/// A StepSolver for every mechanism, with one thread: see rt/ali3p/solver.h for its members.
class TreeSolver {
 public:
  using Workspace = TreeWorkspace;

  /// @param team  of one thread
  TreeSolver(const StepTask& task, TreeWorkspace& ws, const Team& team) noexcept;

  void predict(const State& from) noexcept;
  void load(const State& state) noexcept;

  template <class Decide>
  void sweepUp(Level level, bool must, double leak, Decide&& decide) noexcept {
    const bool is_wanted = decide();
    if (is_wanted || must) factorTangent();
    sweepUp(level, leak);
  }
  void sweepDown(Level next) noexcept;
  void finish(const State& from, State& to) noexcept;

  Level moved() const noexcept { return moved_; }
  double increment() const noexcept { return increment_; }
  double violation(Level level) const noexcept { return violation_[indexOf(level)]; }
  bool positive() const noexcept { return positive_; }
  int factorizations() const noexcept { return factorizations_; }
  int limited() const noexcept { return limited_; }
  bool leads() const noexcept { return true; }
  static bool isFinite(const StepReport& report, const State& state) noexcept;

 private:
  void factorTangent() noexcept;
  void sweepUp(Level level, double leak) noexcept;
  /// Right side of a velocity pass; the first pass filters the compliant rows, with two solves of its own.
  void filterOrProject() noexcept;
  void evaluateAfterPositions(Level next) noexcept;
  void evaluateAfterVelocities(Level next) noexcept;

  const StepTask task_;
  const double scale_;  ///< dt^2 / 4
  TreeWorkspace& ws_;
  Level moved_ = Level::kNone;
  Level level_ = Level::kNone;            ///< of the solve that is going on
  bool lacks_damping_ = false;            ///< the multipliers of compliant rows are without the forces of their dampers
  bool has_projected_compliant_ = false;  ///< the velocities of compliant rows have been filtered
  double violation_[3] = {0, 0, 0};
  double increment_ = 0;
  bool positive_ = true;
  int factorizations_ = 0, limited_ = 0;
};

static_assert(StepSolver<TreeSolver>);

}  // namespace tactus::rt
