#include "rt/plan/topology.h"
#include "rt/model/model.h"

#include "rt/ali3p/compile_plan.h"
#include "rt/plan/cuts.h"
#include "rt/plan/symbolic.h"
#include "tests/support/bushing_chain.h"
#include "tests/support/mechanisms.h"
#include "tests/support/mode_springs.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

using namespace tactus::rt;
using namespace tactus::tests;

namespace {

/// The rule of the order in plain words: each elimination joins all pairs, and each joint counts its boundary anew.
std::vector<int> plainOrder(const Topology& topology, const Model& model) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  std::vector<std::set<int>> meets;
  for (const std::vector<int>& of : topology.neighbors) meets.emplace_back(of.begin(), of.end());
  std::vector<int> order, height(meets.size(), 0);
  const auto eliminate = [&](int vertex) {
    order.push_back(vertex);
    for (const int a : meets[at(vertex)]) {
      meets[at(a)].erase(vertex);
      height[at(a)] = std::max(height[at(a)], height[at(vertex)] + 1);
      for (const int b : meets[at(vertex)])
        if (a != b) meets[at(a)].insert(b);
    }
  };
  const auto keyOf = [&](int joint) {
    int boundary = 0;
    for (const int other : meets[at(joint)]) boundary += sizeOf(topology, model, other);
    const bool compliant = model.joints[at(topology.jointsOf(joint).first)].compliant();
    return std::array<int, 4>{2 * boundary + (compliant ? 0 : 1), compliant ? height[at(joint)] : 0,
                              topology.from_cuts.empty() ? 0 : -topology.from_cuts[at(joint)], joint};
  };
  const auto eliminateJoints = [&](bool between_hubs) {
    std::vector<int> left;
    for (int v = topology.bodies; v < topology.vertices(); ++v)
      if (topology.isBetweenHubs(v) == between_hubs) left.push_back(v);
    while (!left.empty()) {
      const auto next = std::min_element(left.begin(), left.end(), [&](int a, int b) { return keyOf(a) < keyOf(b); });
      eliminate(*next);
      left.erase(next);
    }
  };
  for (const int b : carriedBodies(model, topology.forest)) eliminate(b);
  for (int b = 0; b < topology.bodies; ++b)
    if (!topology.hub[at(b)] && !topology.isCarried(b)) eliminate(b);
  eliminateJoints(false);
  for (int b = 0; b < topology.bodies; ++b)
    if (topology.hub[at(b)]) eliminate(b);
  eliminateJoints(true);
  return order;
}

}  // namespace

TEST_CASE("cliques give the order of elimination that all pairs give", "[rt][plan]") {
  std::vector<ModelSpec> specs = {star(9, JointMix::kMixed, true, 5),
                                  hubWithLoops(4, 4),
                                  ladder(6),
                                  chain(7),
                                  cantileverOfBushings(9),
                                  planarLoop(8, 2)};
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6}) specs.push_back(randomTree(25, JointMix::kMixed, seed));
  for (const ModelSpec& spec : specs) {
    const Model model = buildModel(spec);
    for (const HubRule rule : {HubRule::kNone, HubRule::kHubsLast})
      for (const Forest& forest :
           {Forest{}, findForest(model, ForestRule::kTrees, 3), findForest(model, ForestRule::kSpanning, 4)}) {
        Topology topology = topologyOf(model, rule, forest);
        CHECK(eliminationOrder(topology, model) == plainOrder(topology, model));
        if (!forest.empty()) continue;
        topology.from_cuts = distancesTo({model.bodyCount() / 2}, topology);
        CHECK(eliminationOrder(topology, model) == plainOrder(topology, model));
      }
  }
}

TEST_CASE("a joint between a hub and ground waits for the hub", "[rt][plan]") {
  const Plan plan = compilePlan(buildModel(star(8, JointMix::kHinged, true, 5)), LaneRule::kAll, FreedomRule::kNone);
  REQUIRE(plan.hubs == 1);
  CHECK(plan.nodes.back().kind == NodeKind::kJoint);
  CHECK(plan.nodes[plan.nodes.size() - 2].kind == NodeKind::kHubBody);
}

TEST_CASE("bodies meet joints only, and each joint its bodies", "[rt][plan]") {
  const Model model = buildModel(randomTree(8, JointMix::kMixed, 6));
  const Topology topology = topologyOf(model, HubRule::kNone);
  REQUIRE(topology.vertices() == model.bodyCount() + model.jointCount());
  for (int v = 0; v < topology.vertices(); ++v)
    for (const int other : topology.neighbors[static_cast<std::size_t>(v)])
      CHECK(topology.isBody(v) != topology.isBody(other));
  for (int j = 0; j < model.jointCount(); ++j) {
    const Joint& joint = model.joints[static_cast<std::size_t>(j)];
    std::vector<int> ends;
    for (const int body : {joint.body_1, joint.body_2})
      if (body != kGround) ends.push_back(body);
    std::sort(ends.begin(), ends.end());
    CHECK(topology.neighbors[static_cast<std::size_t>(model.bodyCount() + j)] == ends);
  }
}

TEST_CASE("a body with five joints is a hub where hubs go last", "[rt][plan]") {
  for (const int arms : {4, 5}) {
    const Model model = buildModel(star(arms, JointMix::kSpherical, false, 3));
    const Topology topology = topologyOf(model, HubRule::kHubsLast);
    CHECK(std::count(topology.hub.begin(), topology.hub.end(), true) == (arms < 5 ? 0 : 1));
    const Topology without = topologyOf(model, HubRule::kNone);
    CHECK(std::count(without.hub.begin(), without.hub.end(), true) == 0);
  }
}

TEST_CASE("a chain of bushings is eliminated from both ends", "[rt][plan]") {
  constexpr int kBushings = 16;
  const Model model = buildModel(cantileverOfBushings(kBushings));
  const std::vector<int> order = eliminationOrder(topologyOf(model, HubRule::kNone), model);
  std::vector<int> joints;
  for (const int vertex : order)
    if (vertex >= model.bodyCount()) joints.push_back(vertex - model.bodyCount());
  for (int k = 0; k < kBushings; ++k)
    CHECK(joints[static_cast<std::size_t>(k)] == (k % 2 == 0 ? k / 2 : kBushings - 1 - k / 2));
  // A body, then the joints of one half, then the last joint.
  CHECK(compilePlan(model).levels == 1 + kBushings / 2 + 1);
}

TEST_CASE("springs over the same bodies are one vertex, up to six of them", "[rt][plan]") {
  const Model model = buildModel(modeSprings());
  const Topology topology = topologyOf(model, HubRule::kNone);
  // Two hinges and a coupler, then seven springs over one set of bodies and three over another one.
  std::vector<int> counts;
  for (const JointGroup& joints : topology.joints) counts.push_back(joints.count);
  CHECK(counts == std::vector<int>{1, 1, 1, 6, 1, 3});
  CHECK(topology.neighbors[static_cast<std::size_t>(model.bodyCount() + 3)] == std::vector<int>{0, 1, 2, 3});
  int joints = 0;
  for (const PlanNode& node : compilePlan(model).nodes) joints += node.joint_count + (node.carrier >= 0 ? 1 : 0);
  CHECK(joints == model.jointCount());
}

TEST_CASE("every vertex is eliminated once, leaf bodies first", "[rt][plan]") {
  const Model model = buildModel(star(7, JointMix::kHinged, true, 5));
  const Topology topology = topologyOf(model, HubRule::kHubsLast);
  const std::vector<int> order = eliminationOrder(topology, model);
  std::vector<int> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (int v = 0; v < topology.vertices(); ++v) CHECK(sorted[static_cast<std::size_t>(v)] == v);
  for (int k = 0; k < model.bodyCount() - 1; ++k) {
    CHECK(topology.isBody(order[static_cast<std::size_t>(k)]));
    CHECK_FALSE(topology.hub[static_cast<std::size_t>(order[static_cast<std::size_t>(k)])]);
  }
}
