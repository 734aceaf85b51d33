#include "rt/plan/outline.h"

#include "rt/model/model.h"
#include "rt/plan/cuts.h"
#include "tests/support/mechanisms.h"
#include "tests/support/plan_operations.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

#include <vector>

using namespace tactus::rt;
using namespace tactus::tests;

namespace {

void checkOperations(const Model& model, const Outline& outline) {
  // Sums of at most some thousand terms, in another order
  CHECK(operationsOf(outline, model) == Approx(operationsInBatches(layOutPlan(model, outline))).epsilon(1e-12));
}

}  // namespace

TEST_CASE("an outline has the operations of the plan that is laid out from it", "[rt][plan]") {
  for (const ModelSpec& spec : {ladder(12), ring(24), hubWithLoops(3, 4), together({ladder(3), ladder(3)})}) {
    const Model model = buildModel(spec);
    CAPTURE(spec.name);
    for (const HubRule hubs : {HubRule::kNone, HubRule::kHubsLast})
      for (const Forest& forest : {Forest{}, findForest(model, ForestRule::kSpanning, 3)})
        checkOperations(model, outlineOf(model, hubs, forest));
    for (const std::vector<int>& cuts : findCuts(topologyOf(model, HubRule::kNone)))
      checkOperations(model, outlineOf(model, HubRule::kNone, {}, cuts));
  }
}

TEST_CASE("a divided outline has the operations and the units of its plan", "[rt][plan]") {
  const Model model = buildModel(ladder(50));
  DivisionRule rule;
  rule.threads = 2;
  rule.most_work = 2;
  int divided = 0;
  for (const std::vector<int>& cuts : findCuts(topologyOf(model, HubRule::kNone))) {
    Outline outline = outlineOf(model, HubRule::kNone, {}, cuts);
    if (!divide(model, rule, outline)) continue;
    ++divided;
    checkOperations(model, outline);
    CHECK(layOutPlan(model, outline).units() == outline.units.count);
  }
  CHECK(divided >= 3);
}

TEST_CASE("an outline that is not divided stays as it was", "[rt][plan]") {
  const Model model = buildModel(ladder(20));
  const Outline line = outlineOf(model, HubRule::kNone, {});
  const std::vector<int> middle = findCuts(topologyOf(model, HubRule::kNone)).front();
  Outline parted = outlineOf(model, HubRule::kNone, {}, middle);
  const std::vector<VertexBatch> batches = parted.batches;
  DivisionRule rule;
  rule.least_work = 0;
  Outline same = line;
  CHECK_FALSE(divide(model, rule, same));  // joints of its trunk would meet bodies of units
  CHECK(same.batches == line.batches);
  rule.most_work = 0.5;
  CHECK_FALSE(divide(model, rule, parted));
  CHECK(parted.batches == batches);
  CHECK(parted.units.count == 0);
}
