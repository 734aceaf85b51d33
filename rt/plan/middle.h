// The middle of a mechanism that is a line, such as a ladder: eliminated towards it from both ends, the mechanism falls
// into two subtrees for two threads, where an order by least boundary goes from one end to the other.
#pragma once

#include "rt/plan/topology.h"

#include <vector>

namespace tactus::rt {

/// The bodies that leave the most even sides: a level of the level structure of an outermost body (George and Liu, An
/// implementation of a pseudoperipheral node finder, ACM TOMS 5, 1979). Rising; empty for a mechanism of several
/// components. Deterministic, linear in the size of the mechanism.
std::vector<int> findMiddle(const Topology& topology);

/// Steps of each vertex to the nearest of `bodies`, for Topology::from_middle.
std::vector<int> distancesTo(const std::vector<int>& bodies, const Topology& topology);

}  // namespace tactus::rt
