#include "rt/plan/batches.h"
#include "rt/model/model.h"

#include "rt/ali3p/compile_plan.h"
#include "tests/rt/ali3p/tree/tree_problem.h"
#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>

using namespace tactus::rt;
using namespace tactus::tests;

TEST_CASE("equal parts of a mechanism go side by side, whatever number there is of them", "[rt][plan]") {
  for (const int arms : {5, 6, 7, 8, 10}) {
    CAPTURE(arms);
    const Model model = buildModel(equalArms(arms));
    CHECK(companyOf(layOutPlan(model, HubRule::kNone, findForest(model, ForestRule::kTrees, 3)), 1) ==
          std::array<int, kBatchLanes>{1, 3, 5, 7});
    const Plan plan = layOutPlan(model, HubRule::kHubsLast);
    REQUIRE(plan.hubs == 1);
    // Uppers are bodies 1, 3, 5, 7 ...: the first four share a batch.
    CHECK(companyOf(plan, 1) == std::array<int, kBatchLanes>{1, 3, 5, 7});
    // For every four arms one batch of uppers, lowers, elbows and shoulders, and one for the hub.
    CHECK(static_cast<int>(plan.batches.size()) == 4 * ((arms + kBatchLanes - 1) / kBatchLanes) + 1);
  }
}

TEST_CASE("equal leaf bodies stand alone where their joints do, and unknowns stay in their places", "[rt][plan]") {
  const Model model = buildModel(fourBar(FourBarReading::kDown));
  const Plan plan = compilePlan(model);
  CHECK(plan.batches.size() == plan.nodes.size());
  for (int unknown = 0; unknown < plan.unknowns(); ++unknown)
    CHECK(plan.offsets[static_cast<std::size_t>(unknown)] == unknown);
  CHECK(plan.in_place);
  CHECK_FALSE(compilePlan(buildModel(equalArms(4))).in_place);
}
