// The choice of a solver, and how many threads can share its steps.
#pragma once

#include "rt/ali3p/settings.h"
#include "rt/plan/plan.h"

#include <cstdint>

namespace tactus::rt {

enum class SolverKind : std::uint8_t {
  kTree,   ///< TreeSolver: along the nodes of the Plan
  kChain,  ///< ChainSolver: along the lanes of a Plan with a chain
};

/// A Plan with a chain steps along its lanes, unless the settings ask for the gyroscopic tangent, which lanes do not
/// have.
SolverKind solverFor(const Plan& plan, const Settings& settings) noexcept;

/// Maximum number of threads that can share a step: of a long chain they share the lane groups; of any other mechanism
/// two threads share a third-order step, if it is long enough: one the whole step, the other the half steps.
int maxThreads(const Plan& plan, const Settings& settings) noexcept;

}  // namespace tactus::rt
