// Covers: rt/plan/operations.cpp
#include "rt/plan/plan.h"
#include "rt/model/model.h"

#include "rt/ali3p/compile_plan.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

using namespace tactus::rt;
using namespace tactus::tests;

TEST_CASE("every unknown has an offset of its own, and the others are known to be unused", "[rt][plan]") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Plan plan = compilePlan(buildModel(hubWithLoops(3, seed)));
    std::vector<int> taken(static_cast<std::size_t>(plan.permuted_size), 0);
    for (int offset : plan.offsets) ++taken[static_cast<std::size_t>(offset)];
    for (int offset : plan.unused) ++taken[static_cast<std::size_t>(offset)];
    for (const PlanBatch& batch : plan.batches) {
      const PlanNode& node = plan.nodes[static_cast<std::size_t>(batch.lanes[0])];
      for (int k = 0; k < node.stride * (6 - node.rows) && node.carrier >= 0; ++k)
        ++taken[static_cast<std::size_t>(batch.scratch + k)];
    }
    CHECK(taken == std::vector<int>(taken.size(), 1));
  }
}

TEST_CASE("children are eliminated before their parents, and each node once", "[rt][plan]") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Model model = buildModel(randomTree(9, JointMix::kMixed, seed));
    const Plan plan = layOutPlan(model, HubRule::kHubsLast);
    REQUIRE(plan.nodes.size() == model.bodies.size() + model.joints.size());
    std::vector<int> times(static_cast<std::size_t>(plan.unknowns()), 0);
    for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
      const PlanNode& node = plan.nodes[i];
      CHECK((node.parent < 0 || node.parent > static_cast<int>(i)));
      CHECK((node.parent < 0) == (node.boundary_size == 0));
      for (int u = 0; u < node.size; ++u) ++times[static_cast<std::size_t>(node.unknown + u)];
    }
    CHECK(times == std::vector<int>(times.size(), 1));
  }
}

TEST_CASE("the boundary of a node consists of unknowns that are eliminated later", "[rt][plan]") {
  const Plan plan = layOutPlan(buildModel(hubWithLoops(3, 4)), HubRule::kHubsLast);
  std::vector<std::size_t> node_of(static_cast<std::size_t>(plan.unknowns()));
  for (std::size_t i = 0; i < plan.nodes.size(); ++i)
    for (int u = 0; u < plan.nodes[i].size; ++u) node_of[static_cast<std::size_t>(plan.nodes[i].unknown + u)] = i;
  for (std::size_t i = 0; i < plan.nodes.size(); ++i)
    for (int b = 0; b < plan.nodes[i].boundary_size; ++b) {
      const int unknown = plan.boundary_unknowns[static_cast<std::size_t>(plan.nodes[i].first_boundary + b)];
      CHECK(node_of[static_cast<std::size_t>(unknown)] > i);
    }
}
