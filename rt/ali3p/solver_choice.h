// The choice of a solver, and how many threads can share its steps.
#pragma once

#include "rt/ali3p/settings.h"
#include "rt/plan/plan.h"

#include <cstdint>

namespace tactus::rt {

enum class SolverKind : std::uint8_t {
  kTree,    ///< TreeSolver: along the nodes of the Plan
  kChain,   ///< ChainSolver: along the lanes of a Plan with a chain
  kForest,  ///< ForestSolver: along the groups of a Plan with a forest
};

/// The solver of a Plan with a chain or a forest is theirs, unless the settings include the gyroscopic part, which both
/// lack.
SolverKind solverFor(const Plan& plan, const Settings& settings) noexcept;

/// Maximum number of threads that can share a step. In a long chain the threads share the lane groups, in a plan with
/// units the units, unless every tangent is unsymmetric. In any other mechanism two threads share a step of order 3 or
/// 4 that is long enough: one does the half steps, the other the whole step.
int maxThreads(const Plan& plan, const Settings& settings) noexcept;

}  // namespace tactus::rt
