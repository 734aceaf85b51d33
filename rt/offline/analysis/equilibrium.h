// Static equilibrium: the pose in which a mechanism stays at rest under its loads.
//
//   T^T (M ud - Q) = 0 at u = ud = 0,   Phi = 0,   m as at rest                                  (9)
//
// Newton's method on the free motions, with the constraints closed in the same step. Weight and the forces and torques
// of actuators are raised in load steps; preloads are there from the start. Directions without stiffness keep their
// place.
#pragma once

#include "rt/state/state.h"

#include <atomic>
#include <optional>
#include <string>
#include <vector>

namespace tactus::rt::offline {

struct EquilibriumOptions {
  int load_steps = 1;        ///< equal steps to begin with; a step that fails is halved
  int max_iterations = 500;  ///< of one load step
  double time = 0;           ///< s, at which drives are evaluated and held
  const std::atomic<bool>* interrupt = nullptr;
};

struct EquilibriumStep {
  double share = 0;  ///< of the loads
  int iterations = 0;
  double residual = 0;  ///< largest force that is not balanced along a free motion, over the largest load
};

struct Equilibrium {
  State state;                         ///< at rest, with multipliers
  std::vector<EquilibriumStep> steps;  ///< load steps, those that failed left out
  int failed_steps = 0;
  double residual = 0;   ///< of the last step
  double violation = 0;  ///< |Phi|, m
  int freedoms = 0;
  int redundant_rows = 0;  ///< of the constraints
  int indifferent = 0;     ///< free motions without stiffness: they keep the place that they had
  int unstable = 0;        ///< directions in which the loads pull away from the equilibrium
  /// Rank of the constraints where it is lost: in a singular pose, or so near to one that free motions and reactions
  /// are not determined; none elsewhere.
  std::optional<int> singular_rank;
  int rank_at_start = 0;  ///< of the constraints where the search begins
};

/// Finds the equilibrium near the pose of a State.
/// @param[in] start  its velocities are not read
/// @param[in] input  value of each actuator
/// @throws Error that names the load reached and the body with the largest acceleration at the start, if there is no
/// equilibrium that
///         load steps lead to; Interrupted
Equilibrium findEquilibrium(const Model& model, const State& start, const std::vector<double>& input,
                            const EquilibriumOptions& options = {});

}  // namespace tactus::rt::offline
