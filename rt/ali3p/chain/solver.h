// The phases of a step along the lanes of a Chain, for all groups of one thread.
#pragma once

#include "rt/ali3p/chain/context.h"
#include "rt/ali3p/chain/lanes.h"
#include "rt/ali3p/team.h"
#include "rt/state/state.h"
#include "rt/tick_status.h"

namespace tactus::rt {

/// One thread's share of a step. Every thread of a team makes the same calls in the same order; what they return is
/// the same in all of them. A solve is a sweepUp() and a sweepDown(), and the team meets once, between them: only there
/// does it become known what the solve before has done.
class ChainSolver {
 public:
  ChainSolver(const ChainContext& context, const Team& team) noexcept;

  /// Predicts the end of the step; what the first Newton solve needs is then there.
  void predict(const State& from) noexcept;
  /// Takes a State as the iterate; what a velocity projection needs is then there.
  void load(const State& from) noexcept;

  /// Begins a solve at one level: up, to the cuts. Calls `decide` once moved(), increment() and violation() tell of the
  /// bodies as they stand; the tangent is formed anew if it returns true, or if it `must` be.
  /// @param leak  see ChainLanes::sweepUp(); only where the tangent must be formed
  template <class Decide>
  void sweepUp(Level level, bool must, double leak, Decide&& decide) noexcept {
    const Tangent anew = moved_ == Level::kNone ? Tangent::kPredicted : Tangent::kMoved;
    bool factors = must;
    if (team_.threads == 1) {
      gatherTotals(level);
      factors = decide() || must;
      walkUp(level, factors ? anew : Tangent::kKept, leak);
    } else {
      // Tried with the tangent at hand: to decide first would be one more time to meet.
      walkUp(level, must ? anew : Tangent::kTried, leak);
      team_.wait();
      gatherTotals(level);
      if (decide() && !must) {
        factors = true;
        restoreGaps();
        walkUp(level, anew, leak);
        team_.wait();
      }
    }
    solveCuts(level, factors, leak);
  }
  /// Ends the solve: moves the bodies and evaluates what the next one needs.
  void sweepDown(Level next) noexcept;
  /// Ends the solve for the accelerations, the last one, and writes bodies and multipliers. The team meets.
  void finish(State& to) noexcept;

  /// Level at which the bodies have been moved last; kNone where they have been predicted.
  Level moved() const noexcept { return moved_; }
  /// The largest increment of a body in that solve, m; rotations count with the model's length.
  double increment() const noexcept { return increment_; }
  /// Norm of the rows at a level, as last evaluated.
  double violation(Level level) const noexcept { return violation_[indexOf(level)]; }
  /// False once a pivot has not been positive.
  bool positive() const noexcept { return positive_; }
  /// Factorisations so far, and bodies whose geometric stiffness was limited in them.
  int factorizations() const noexcept { return factorizations_; }
  int limited() const noexcept { return limited_; }

  /// Writes the input and the powers that belong to it, once all have finished; one thread does it for all.
  void storePowers(State& to) const noexcept;

 private:
  void walkUp(Level level, Tangent tangent, double leak) noexcept;
  void restoreGaps() noexcept;
  void solveCuts(Level level, bool factor, double leak) noexcept;
  void takeMotion(const ChainActuator& a) noexcept;
  void gatherFactors() noexcept;
  void gatherTotals(Level next) noexcept;
  int firstGroup() const noexcept { return groups_ * team_.thread / team_.threads; }
  int endGroup() const noexcept { return groups_ * (team_.thread + 1) / team_.threads; }
  bool isMine(int segment) const noexcept;

  const ChainContext context_;
  const Team& team_;
  ChainTop& top_;
  ChainLanes& lanes_;
  const int groups_;
  const int first_segment_, end_segment_;  ///< of this thread
  Level moved_ = Level::kNone;
  Level level_ = Level::kNone;  ///< of the solve
  double violation_[3] = {0, 0, 0};
  double increment_ = 0;
  bool positive_ = true;
  int factorizations_ = 0, limited_ = 0;
};

}  // namespace tactus::rt
