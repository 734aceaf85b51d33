// Workspace: all scratch of a step, sized once for a Plan; worthless after the tick. Each member says who writes it and
// who reads it.
#pragma once

#include "rt/ali3p/chain/workspace.h"
#include "rt/ali3p/forest/workspace.h"
#include "rt/ali3p/team.h"
#include "rt/ali3p/tree/workspace.h"
#include "rt/plan/plan.h"
#include "rt/state/state.h"
#include "rt/tick_status.h"

#include <memory>
#include <type_traits>
#include <vector>

namespace tactus::rt {

struct Model;

/// The scratch of the solvers; a step uses one of them.
struct SolverWorkspace {
  SolverWorkspace() = default;
  /// @param threads  that share the lane groups of a chain, or the units of a plan
  SolverWorkspace(const Model& model, const Plan& plan, int threads);

  /// The part that a solver takes.
  template <class Solver>
  typename Solver::Workspace& of() noexcept {
    if constexpr (std::is_same_v<typename Solver::Workspace, TreeWorkspace>)
      return tree;
    else if constexpr (std::is_same_v<typename Solver::Workspace, ForestWorkspace>)
      return forest;
    else
      return chain;
  }

  TreeWorkspace tree;      ///< written and read by TreeSolver
  ChainWorkspace chain;    ///< of a Plan with a chain; written and read by ChainSolver
  ForestWorkspace forest;  ///< of a Plan with a forest; written and read by ForestSolver
};

/// Of a step of higher order. Written and read by extrapolatedStep().
struct Extrapolation {
  Extrapolation() = default;
  explicit Extrapolation(const Model& model);

  State coarser[2];            ///< after one whole step, and after two half steps
  State between[3];            ///< between parts: two states of the first thread, one of the second
  StepReport beside;           ///< of the coarser divisions, written by the second thread where it does them
  std::vector<double> inputs;  ///< of each actuator, at 1/2, 1/3 and 2/3 of the step
};

struct Workspace {
  Workspace() = default;
  /// @param threads  that share a step, as chooseThreads() returned it
  Workspace(const Model& model, const Plan& plan, int threads = 1);

  SolverWorkspace solver;
  int threads = 1;                       ///< of a step; written by the constructor
  std::unique_ptr<SpinBarrier> barrier;  ///< of more than one thread
  /// Scratch of the second thread where two threads do not share lane groups. Written and read by that thread.
  std::unique_ptr<SolverWorkspace> beside;

  /// The state being built. Written by trapezoidalStep() and extrapolatedStep(); step() swaps it in if all of it is
  /// finite.
  State next;

  Extrapolation extrapolation;
};

}  // namespace tactus::rt
