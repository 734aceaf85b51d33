// Cuts of a mechanism that is a line, such as a ladder or a ring. Joints of equal boundary are eliminated towards the
// cuts, so that the mechanism falls into subtrees: two for two threads, where an order by least boundary goes from one
// end to the other, or as many equal ones as a vector has lanes.
#pragma once

#include "rt/plan/topology.h"

#include <vector>

namespace tactus::rt {

/// Bodies to cut a mechanism at: first its middle, the bodies that leave the most even sides; then, if it is a line,
/// cuts into equal segments. All are levels of the level structure of an outermost body (George and Liu, An
/// implementation of a pseudoperipheral node finder, ACM TOMS 5, 1979). Each rises; none for a mechanism of several
/// components. Deterministic, linear in the size of the mechanism.
std::vector<std::vector<int>> findCuts(const Topology& topology);

/// Steps of each vertex to the nearest of `bodies`, for Topology::from_cuts.
std::vector<int> distancesTo(const std::vector<int>& bodies, const Topology& topology);

}  // namespace tactus::rt
