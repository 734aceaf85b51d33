#include "rt/plan/units.h"

#include "rt/model/model.h"
#include "rt/plan/outline.h"

#include "rt/ali3p/compile_plan.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace tactus::rt;
using namespace tactus::tests;

namespace {

ModelSpec copies(const ModelSpec& of, int count) {
  return together(std::vector<ModelSpec>(static_cast<std::size_t>(count), of));
}

Plan planOf(const ModelSpec& spec) {
  return compilePlan(buildModel(spec));
}

/// An irregular tree: undivided, its nodes share more batches, so that compilePlan() leaves it as it is.
Plan irregularTree() {
  const Model model = buildModel(randomTree(400, JointMix::kHinged, 5));
  DivisionRule rule;
  rule.most_work = 10;
  return layOutPlan(model, HubRule::kHubsLast, findForest(model, ForestRule::kTrees, 3), rule);
}

}  // namespace

TEST_CASE("a small mechanism, and one that is a line of nodes, has no units", "[rt][plan]") {
  for (const ModelSpec& spec : {randomTree(40, JointMix::kHinged, 5), hubWithLoops(4, 7)}) {
    const Plan plan = planOf(spec);
    CAPTURE(spec.name);
    REQUIRE(plan.parts.size() == 1);
    CHECK(plan.trunk().batch_count == static_cast<int>(plan.batches.size()));
    CHECK(plan.trunk().run_count == static_cast<int>(plan.runs.size()));
    CHECK(plan.trunk().move_count == static_cast<int>(plan.moves.size()));
    CHECK(plan.ports.empty());
    CHECK(plan.boundary_places.size() == plan.boundary_unknowns.size());
  }
}

TEST_CASE("units hold every node but those of the trunk, and do not meet each other", "[rt][plan]") {
  for (const Plan& plan : {irregularTree(), planOf(hubWithLoops(40, 7)),
                           planOf(copies(randomTree(4, JointMix::kHinged, 7), 60)), planOf(copies(ladder(2), 32))}) {
    CAPTURE(plan.bodies, plan.units());
    REQUIRE(plan.units() >= 2);
    // The parts follow each other in batches, runs, lone bodies and moves.
    int batches = 0, runs = 0, lone = 0, moves = 0;
    for (const PlanPart& part : plan.parts) {
      CHECK(part.first_batch == batches);
      CHECK(part.first_run == runs);
      CHECK(part.first_lone == lone);
      CHECK(part.first_move == moves);
      batches += part.batch_count;
      runs += part.run_count;
      lone += part.lone_count;
      moves += part.move_count;
    }
    CHECK(batches == static_cast<int>(plan.batches.size()));
    CHECK(runs == static_cast<int>(plan.runs.size()));
    CHECK(lone == static_cast<int>(plan.lone.size()));
    CHECK(moves == static_cast<int>(plan.moves.size()));
    // Every node above a unit's node is of that unit or of the trunk, and only the latter is met through ports.
    std::vector<int> part_of(static_cast<std::size_t>(plan.unknowns()), -1);
    for (std::size_t p = 0; p < plan.parts.size(); ++p)
      for (int i = 0; i < plan.parts[p].move_count; ++i) {
        const PlanMove& move = plan.moves[static_cast<std::size_t>(plan.parts[p].first_move + i)];
        for (int lane = 0; lane < kBatchLanes; ++lane) {
          const int first = move.unknowns[static_cast<std::size_t>(lane)];
          for (int k = 0; k < move.count && first >= 0; ++k) {
            const auto unknown = static_cast<std::size_t>(first + k);
            CHECK(plan.offsets[unknown] == move.offset + (move.in_lanes ? kBatchLanes * k + lane : k));
            CHECK(move.of_body == (static_cast<int>(unknown) < 6 * plan.bodies));
            CHECK(part_of[unknown] == -1);
            part_of[unknown] = static_cast<int>(p);
          }
        }
      }
    CHECK(std::count(part_of.begin(), part_of.end(), -1) == 0);
    for (const PlanNode& node : plan.nodes)
      for (int k = node.first_boundary; k < node.first_boundary + node.boundary_size; ++k) {
        const auto at = static_cast<std::size_t>(k);
        const auto unknown = static_cast<std::size_t>(plan.boundary_unknowns[at]);
        const int part = part_of[unknown];
        REQUIRE((part == node.part || part == plan.units()));
        if (part == node.part) {
          CHECK(plan.boundary_places[at] == plan.offsets[unknown]);
          continue;
        }
        const PlanPart& unit = plan.parts[static_cast<std::size_t>(node.part)];
        const int port = plan.boundary_places[at] - unit.port_offset;
        REQUIRE((port >= 0 && port < unit.port_count));
        CHECK(plan.ports[static_cast<std::size_t>(unit.first_port + port)] == plan.offsets[unknown]);
      }
    // Eight threads have at most 0.6 of the work in their way, the bound of findUnits().
    double all = 0, largest = 0;
    for (const PlanPart& part : plan.parts) all += part.cost;
    for (int u = 0; u < plan.units(); ++u) largest = std::max(largest, plan.parts[static_cast<std::size_t>(u)].cost);
    CHECK(plan.trunk().cost + largest <= 0.6 * all);  // DivisionRule::largest_in_way, for eight threads
  }
}

TEST_CASE("a tree whose nodes would share far fewer batches is not divided", "[rt][plan]") {
  CHECK(irregularTree().units() > 1);
  CHECK(planOf(randomTree(400, JointMix::kHinged, 5)).units() == 0);
}

TEST_CASE("copies of one mechanism have no trunk", "[rt][plan]") {
  const Plan plan = planOf(copies(randomTree(4, JointMix::kHinged, 7), 60));
  CHECK(plan.trunk().batch_count == 0);
  CHECK(plan.ports.empty());
}
