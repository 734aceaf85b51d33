// Batches: nodes of one shape that are eliminated side by side, each in a lane of its own.
#pragma once

#include "rt/plan/symbolic.h"

#include <array>
#include <vector>

namespace tactus::rt {

/// Vertices by lane, -1 where a lane is empty; at least two, or one alone in lane 0.
using VertexBatch = std::array<int, kBatchLanes>;

/// Vertices share a batch if their eliminations are one sequence of operations: equal kinds, sizes, boundary sizes and
/// positions of their Jacobians, and children that share batches, each in the lane of its parent. So equal parts of a
/// mechanism, such as the corners of a vehicle, share batches as far up the tree as they are equal. Leaf bodies whose
/// joints share no batch stand alone.
/// @param part  of each vertex: only vertices of one part share a batch; empty: all are of one
/// @returns batches in order of elimination: level by level of the tree
std::vector<VertexBatch> findBatches(const Symbolic& s, const Topology& topology, const Model& model,
                                     const std::vector<int>& part = {});

}  // namespace tactus::rt
