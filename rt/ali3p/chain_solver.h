// The phases of a step along the lanes of a Chain, for all groups of one thread.
#pragma once

#include "rt/ali3p/chain_context.h"
#include "rt/ali3p/team.h"
#include "rt/state/state.h"
#include "rt/tick_status.h"

namespace tactus::rt {

/// One thread's share of a step. Every thread of a team makes the same calls in the same order; what they return is
/// the same in all of them.
class ChainSolver {
 public:
  ChainSolver(const ChainContext& context, const Team& team) noexcept;

  /// Predicts the end of the step; what the first Newton solve needs is then there.
  void predict(const State& from) noexcept;
  /// Takes a State as the iterate; what a velocity projection needs is then there.
  void load(const State& from) noexcept;

  /// Solves at one level, position or velocity, moves the bodies and evaluates what the next solve needs.
  /// @returns the largest increment of a body, m; rotations count with the model's length
  double solve(Level level, Level next, bool factor, double leak) noexcept;

  /// Solves for the accelerations, the last ones, and writes bodies and multipliers.
  void finish(State& to) noexcept;

  /// Norm of the rows at a level, as last evaluated.
  double violation(Level level) const noexcept { return violation_[indexOf(level)]; }
  /// False once a pivot has not been positive.
  bool positive() const noexcept { return positive_; }
  /// Bodies whose geometric stiffness was limited in the last factorisation.
  int limited() const noexcept { return limited_; }

  /// Writes the input and the powers that belong to it, once all have finished; one thread does it for all.
  void storePowers(State& to) const noexcept;

 private:
  /// Up, and across the cuts.
  void reduce(Level level, bool factor, double leak) noexcept;
  void takeMotion(const ChainActuator& a) noexcept;
  void gatherFactors() noexcept;
  void gatherTotals(Level moved, Level next) noexcept;
  int firstGroup() const noexcept { return groups_ * team_.thread / team_.threads; }
  int endGroup() const noexcept { return groups_ * (team_.thread + 1) / team_.threads; }
  bool isMine(int segment) const noexcept;

  const ChainContext context_;
  const Team& team_;
  ChainTop& top_;
  ChainLanes& lanes_;
  const int groups_;
  const int first_segment_, end_segment_;  ///< of this thread
  double violation_[3] = {0, 0, 0};
  double increment_ = 0;
  bool positive_ = true;
  bool is_predicted_ = false;  ///< bodies stand where they were predicted
  int limited_ = 0;
};

}  // namespace tactus::rt
