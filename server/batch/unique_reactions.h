// Which reactions a mechanism determines: with redundant constraints, some are a matter of the method.
#pragma once

#include "rt/offline/core/trajectory.h"
#include "rt/state/state.h"

#include <atomic>
#include <vector>

namespace tactus::rt {
struct Model;
}

namespace tactus::server {

/// For each joint of a model, the time of the first pose of a motion at which the equations of motion do not determine
/// its reaction, s; infinity if they determine it at all poses. Rows that depend on each other share their load in a
/// way that stiffness decides, which a rigid mechanism does not have; a method picks one of the possible shares. All
/// joints of a mechanism without closed loops are determined.
///
/// The rank is formed at all samples of small mechanisms, and at the start, the end and as many samples between them as
/// take about a second of larger ones. Of a mechanism with loops and more than 600 rows no rank is formed: its joints
/// on loops count as not determined from the start.
/// @param[in] layout     any state of the model, which the samples are laid out as
/// @param[in] samples    in the order of time
/// @param[in] until      s; samples after it are left out
/// @param[in] interrupt  true ends the search, with what the poses so far have shown
std::vector<double> firstNotUnique(const rt::Model& model, const rt::State& layout,
                                   const std::vector<rt::offline::Sample>& samples, double until,
                                   const std::atomic<bool>& interrupt);

/// Whether firstNotUnique() forms ranks, or takes joints on loops as not determined because they are too many.
bool computesUnique(const rt::Model& model);

}  // namespace tactus::server
