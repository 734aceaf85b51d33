// The state in which a search for an equilibrium or a trim has ended, as a message: what a session answers, and what
// `tactus analyse equilibrium` and `trim` print.
#pragma once

#include "rt/offline/analysis/equilibrium.h"
#include "rt/offline/analysis/trim.h"
#include "rt/signals/state_outputs.h"

#include "tactus/v1/simulation.pb.h"

#include <vector>

namespace tactus::server {

/// Bodies, inputs, reactions and signals.
/// @param free     actuators that the search could change
/// @param signals  whose values are given
void writeFoundState(const rt::Model& model, const rt::State& state, const std::vector<double>& input,
                     const std::vector<int>& free, rt::StateOutputs& signals, v1::FoundState& message);

/// Residual, iterations and what else there is to know of an equilibrium.
void writeEquilibrium(const rt::offline::Equilibrium& equilibrium, v1::FoundState& message);

/// Residual, iterations and what else there is to know of a trim.
void writeTrim(const rt::offline::Trim& trim, v1::FoundState& message);

}  // namespace tactus::server
