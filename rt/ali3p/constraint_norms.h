// How far a State is from its constraints, for a state that no step has just reached: the first one, or a restored one.
#pragma once

#include "rt/ali3p/settings.h"
#include "rt/state/state.h"
#include "rt/tick_status.h"

namespace tactus::rt {

struct Model;
struct Workspace;

/// Writes the three constraint norms of a State into the report, as a step that ends in this State does; the other
/// members stay. Drives are those of its time and its input. The norms of a chain are sums in another order than that
/// of ChainSolver.
///
/// @param ws  scratch
/// @rt no allocation, no throw, fixed work
void recordConstraintNorms(const Model& model, const Settings& settings, const State& state, Workspace& ws,
                           StepReport& report) noexcept;

}  // namespace tactus::rt
