// How many iterations a step of a model with compliant rows needs: found by a short run, because it depends on the
// motion.
#pragma once

#include "rt/ali3p/settings.h"
#include "rt/error.h"

#include <cstdint>
#include <optional>

namespace tactus::rt {
struct Model;
}

namespace tactus::server {

struct IterationTrial {
  std::int64_t steps = 0;          ///< done with the settings as given
  std::int64_t not_converged = 0;  ///< of them
  double increment = 0;            ///< largest last increment of the positions, m
  /// Iterations with which all steps converge: the given ones if they do, kMaxIterations + 1 if no number is enough
  int needed = 0;
  bool ok = true;  ///< no step failed
};

/// Steps the model from its declared state without inputs: up to 500 steps, fewer of a large model. Where a step does
/// not converge, the steps are repeated with the number of iterations that their increments ask for.
/// @throws Error if the initial state cannot be assembled
IterationTrial tryIterations(const rt::Model& model, const rt::Settings& settings);

/// The warning on iterations that are too few in the steps of a trial. Later motions are judged by the monitor while
/// the model runs: see rt::iterationsNeeded().
/// @param settings  those of the trial
std::optional<rt::Finding> findUnconverged(const IterationTrial& trial, const rt::Settings& settings);

}  // namespace tactus::server
