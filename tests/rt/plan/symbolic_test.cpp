#include "rt/plan/symbolic.h"
#include "rt/model/model.h"

#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

#include <set>

using namespace tactus::rt;
using namespace tactus::tests;

TEST_CASE("boundaries are those of an elimination on a graph", "[rt][plan]") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Model model = buildModel(randomLoop(6, 2, seed));
    const Topology topology = topologyOf(model, HubRule::kNone);
    const std::vector<int> order = eliminationOrder(topology, model);
    const Symbolic symbolic = eliminateSymbolically(topology, order);
    // The same on sets: eliminating a vertex joins everything that it meets.
    std::vector<std::set<int>> meets;
    for (const std::vector<int>& neighbors : topology.neighbors) meets.emplace_back(neighbors.begin(), neighbors.end());
    for (const int vertex : order) {
      const std::set<int> boundary = meets[static_cast<std::size_t>(vertex)];
      const std::vector<int>& found = symbolic.boundary[static_cast<std::size_t>(vertex)];
      CHECK(std::set<int>(found.begin(), found.end()) == boundary);
      CHECK(found.size() == boundary.size());
      for (const int a : boundary) {
        meets[static_cast<std::size_t>(a)].erase(vertex);
        for (const int b : boundary)
          if (a != b) meets[static_cast<std::size_t>(a)].insert(b);
      }
    }
  }
}

TEST_CASE("the parent of a vertex is the first of its boundary to be eliminated, and above it", "[rt][plan]") {
  const Model model = buildModel(hubWithLoops(3, 2));
  const Topology topology = topologyOf(model, HubRule::kHubsLast);
  const Symbolic symbolic = eliminateSymbolically(topology, eliminationOrder(topology, model));
  for (int v = 0; v < topology.vertices(); ++v) {
    const int parent = symbolic.parent(v);
    if (parent < 0) {
      CHECK(symbolic.boundary[static_cast<std::size_t>(v)].empty());
      continue;
    }
    for (const int other : symbolic.boundary[static_cast<std::size_t>(v)])
      CHECK(symbolic.position[static_cast<std::size_t>(parent)] <= symbolic.position[static_cast<std::size_t>(other)]);
    CHECK(symbolic.level[static_cast<std::size_t>(parent)] > symbolic.level[static_cast<std::size_t>(v)]);
  }
}

TEST_CASE("unknowns are six for each body, then the rows of each joint", "[rt][plan]") {
  const Model model = buildModel(fourBar(FourBarReading::kDown));
  const Topology topology = topologyOf(model, HubRule::kNone);
  int next = 0;
  for (int v = 0; v < topology.vertices(); ++v) {
    CHECK(unknownOf(topology, model, v) == next);
    next += sizeOf(topology, model, v);
  }
  CHECK(next == 6 * model.bodyCount() + model.rows);
}
