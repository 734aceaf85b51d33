// Which reactions a mechanism determines: with redundant constraints, some are a matter of the method.
#pragma once

#include "rt/state/state.h"

#include <vector>

namespace tactus::rt {
struct Model;
}

namespace tactus::server {

/// For each joint of a model, whether the equations of motion determine its reaction at a state. Rows that depend on
/// each other share their load in a way that stiffness decides, which a rigid mechanism does not have; a method picks
/// one of the possible shares. All joints of a mechanism without closed loops are determined. Of a mechanism with loops
/// and more than 600 rows no rank is formed: all its joints on loops count as not determined.
std::vector<bool> uniqueReactions(const rt::Model& model, const rt::State& state);

}  // namespace tactus::server
