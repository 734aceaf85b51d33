// The search of an Analyse request: from a copy of a tick to an equilibrium, to a trim, or to a trim near an
// equilibrium. The numbers are those of `tactus analyse` and of tactus.Simulation.
#pragma once

#include "rt/state/snapshot.h"

#include "tactus/v1/simulation.pb.h"

#include <atomic>

namespace tactus::rt {
struct Model;
}

namespace tactus::server {

inline constexpr std::uint32_t kMaxLoadSteps = 10'000;

inline bool asksForSearch(const v1::AnalyseRequest& request) {
  return request.has_equilibrium() || request.has_trim();
}

/// Searches with the inputs of the tick, but for those that the request gives.
/// @param model      with the parameters in force
/// @param time       of the tick, s, as a step computes it
/// @param interrupt  ends the search when it becomes true
/// @return the tick, moved to the state that was found; its inputs may be out of range
/// @throws RequestError naming the field; kAnalysisFailed where the search finds nothing; rt::offline::Interrupted
rt::Snapshot searchState(const rt::Snapshot& tick, const rt::Model& model, double time,
                         const v1::AnalyseRequest& request, const std::atomic<bool>& interrupt,
                         v1::FoundState& message);

}  // namespace tactus::server
