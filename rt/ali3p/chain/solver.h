// The phases of a step along the lanes of a Chain, for all lane groups of one thread.
#pragma once

#include "rt/ali3p/chain/context.h"
#include "rt/ali3p/chain/lanes.h"
#include "rt/ali3p/solver.h"
#include "rt/ali3p/team.h"

namespace tactus::rt {

/// A StepSolver for chains: one thread's share of a step. See rt/ali3p/solver.h for its members. Its results are those
/// of TreeSolver except for the order of the sums.
///
/// Threads synchronize once per solve, between the sweeps; results of the previous solve are valid only after that
/// point.
class ChainSolver {
 public:
  using Workspace = ChainWorkspace;

  ChainSolver(const StepTask& task, ChainWorkspace& ws, const Team& team) noexcept;

  void predict(const State& from) noexcept;
  void load(const State& state) noexcept;

  template <class Decide>
  void sweepUp(Level level, bool must, double leak, Decide&& decide) noexcept {
    const TangentUse anew = moved_ == Level::kNone      ? TangentUse::kPredicted
                            : level == Level::kPosition ? TangentUse::kMoved
                                                        : TangentUse::kPlaced;
    bool factors = must;
    if (team_.threads == 1) {
      gatherTotals(level);
      factors = decide() || must;
      walkUp(level, factors ? anew : TangentUse::kKept, leak);
    } else {
      // Tries the sweep with the last tangent: deciding first would take one more synchronization.
      walkUp(level, must ? anew : TangentUse::kTried, leak);
      team_.wait();
      gatherTotals(level);
      if (decide() && !must) {
        factors = true;
        restoreBeta();
        walkUp(level, anew, leak);
        team_.wait();
      }
    }
    solveInterfaces(level, factors, leak);
  }
  void sweepDown(Level next) noexcept;
  /// Synchronizes the team once more.
  void finish(const State& from, State& to) noexcept;

  /// Without drags nothing in the tangent depends on rates, but for inertiaGain().
  int accelerationPasses() const noexcept {
    const int order = context_.settings.order();
    const int plain = order > 2 && !context_.chain.has_drags ? order - 2 : order - 1;
    return has_inertia_gain_ ? plain + 1 : plain;
  }
  Level moved() const noexcept { return moved_; }
  double increment() const noexcept { return increment_; }
  double violation(Level level) const noexcept { return violation_[indexOf(level)]; }
  bool positive() const noexcept { return positive_; }
  int factorizations() const noexcept { return factorizations_; }
  int limited() const noexcept { return limited_; }
  bool leads() const noexcept { return team_.thread == 0; }
  /// Each number of a body, and through the accelerations each multiplier, is part of a norm in the report: only the
  /// norms and the powers are tested. A number that is too large to be squared counts as not finite.
  static bool isFinite(const StepReport& report, const State& state) noexcept;

 private:
  void walkUp(Level level, TangentUse tangent, double leak) noexcept;
  void restoreBeta() noexcept;
  void solveInterfaces(Level level, bool factor, double leak) noexcept;
  void takeMotion(const ChainActuator& a) noexcept;
  void gatherFactors() noexcept;
  void gatherTotals(Level next) noexcept;
  void storePowers(State& to) const noexcept;
  int firstLaneGroup() const noexcept { return lane_groups_ * team_.thread / team_.threads; }
  int endLaneGroup() const noexcept { return lane_groups_ * (team_.thread + 1) / team_.threads; }
  bool isMine(int segment) const noexcept;

  const ChainContext context_;
  const Team team_;
  InterfaceSystem& interfaces_;
  ChainLanes& lanes_;
  const int lane_groups_;
  const int first_segment_, end_segment_;  ///< of this thread
  Level moved_ = Level::kNone;
  Level level_ = Level::kNone;  ///< of the solve that is going on
  double violation_[3] = {0, 0, 0};
  double increment_ = 0;
  bool positive_ = true;
  int factorizations_ = 0, limited_ = 0;
  bool has_inertia_gain_ = false;
};

static_assert(StepSolver<ChainSolver>);

}  // namespace tactus::rt
