// The linear system about a tick, its modes and its frequency response, as the answer to an Analyse request. The
// numbers are those of `tactus analyse` and of tactus.Simulation. state_search.h has the searches of such a request.
#pragma once

#include "rt/state/snapshot.h"

#include "tactus/v1/simulation.pb.h"

#include <cstddef>
#include <functional>

namespace tactus::rt {
struct Model;
}

namespace tactus::server {

/// What one analysis may cost.
struct AnalysisBounds {
  int bodies = 0;         ///< of the model: work rises with the cube of their number
  std::size_t bytes = 0;  ///< of the answer
};

/// Maximum number of frequencies, and of frequencies times the cube of the number of states: some ten seconds.
inline constexpr int kMaxFrequencies = 10'000;
inline constexpr double kMaxFrequencyWork = 1e10;

/// What can be wrong before there is any work.
/// @throws RequestError naming the field; kLimitExceeded for a model that is too large; kAnalysisFailed for a state
/// with
///         values that are not finite
void requireAnalysable(const rt::Snapshot& tick, const rt::Model& model, const v1::AnalyseRequest& request,
                       const AnalysisBounds& bounds);

/// Of which tick the answer is.
void writeAnalysedTick(const rt::Snapshot& tick, v1::AnalyseResponse& response);

/// Linearizes at a copy of a tick; after a search at the state that it has found, and only on request.
/// @param model     with the parameters in force
/// @param time      of the tick, s, as a step computes it
/// @param progress  called now and then; may throw
/// @param response  with what a search has found
/// @throws RequestError naming the field; kAnalysisFailed where there is no linear system; kLimitExceeded
void analyseState(const rt::Snapshot& tick, const rt::Model& model, double time, const v1::AnalyseRequest& request,
                  const AnalysisBounds& bounds, const std::function<void()>& progress, v1::AnalyseResponse& response);

}  // namespace tactus::server
