#include "rt/plan/cuts.h"
#include "rt/math/worst.h"
#include "rt/model/model.h"
#include "rt/plan/outline.h"

#include "rt/ali3p/compile_plan.h"
#include "rt/ali3p/step.h"
#include "rt/ali3p/workspace.h"
#include "rt/mechanics/initial_state.h"
#include "tests/support/mechanisms.h"
#include "tests/support/plan_operations.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace tactus::rt;
using namespace tactus::tests;

namespace {

std::vector<std::vector<int>> cutsOf(const Model& model) {
  return findCuts(topologyOf(model, HubRule::kNone));
}

Plan planWith(const Model& model, const std::vector<int>& cuts) {
  return layOutPlan(model, outlineOf(model, HubRule::kNone, {}, cuts));
}

/// Rods and couplers take turns along a ladder: rod 0, coupler 1, rod 1 ...
int placeAlong(const Model& model, int body) {
  const std::string& name = model.body_names[static_cast<std::size_t>(body)];
  const auto underscore = name.find('_');
  const int number = std::stoi(name.substr(underscore + 1));
  return name.substr(0, underscore) == "rod" ? 2 * number : 2 * number - 1;
}

/// Nodes in full batches.
int nodesInFullBatches(const Plan& plan) {
  constexpr int kFull = (1 << kBatchLanes) - 1;
  return kBatchLanes * static_cast<int>(std::count_if(plan.batches.begin(), plan.batches.end(),
                                                      [](const PlanBatch& batch) { return batch.filled == kFull; }));
}

State after(const Model& model, const Plan& plan, int ticks) {
  Workspace ws(model, plan);
  State state = initialState(model).state;
  for (int i = 0; i < ticks; ++i) REQUIRE(step(model, plan, {}, {}, state, ws).status == TickStatus::kOk);
  return state;
}

double largestDistance(const Model& model, const State& a, const State& b) {
  double apart = 0;
  for (int i = 0; i < model.bodyCount(); ++i) apart = tactus::rt::worst(apart, (a.view().r(i) - b.view().r(i)).norm());
  return apart;
}

}  // namespace

TEST_CASE("the first cut of a ladder is the body with as many bodies on either side", "[rt][plan]") {
  for (const int fields : {4, 5, 20}) {
    const Model model = buildModel(ladder(fields));
    const std::vector<int> middle = cutsOf(model).front();
    CAPTURE(fields, middle);
    REQUIRE(middle.size() == 1);
    CHECK(std::abs(placeAlong(model, middle.front()) - fields) <= 1);
  }
}

TEST_CASE("a mechanism of several components has no cut, and one that is no line has a middle alone", "[rt][plan]") {
  CHECK(cutsOf(buildModel(together({ladder(3), ladder(3)}))).empty());
  CHECK(cutsOf(buildModel(freeBody(1))) == std::vector<std::vector<int>>{{0}});
  CHECK(cutsOf(buildModel(star(60, JointMix::kHinged, true, 5))).size() == 1);
}

TEST_CASE("segments between cuts have equal lengths, in whole periods of the line", "[rt][plan]") {
  const Model model = buildModel(ladder(50));
  const std::vector<std::vector<int>> cuts = cutsOf(model);
  REQUIRE(cuts.size() > 3);
  for (std::size_t i = 1; i < cuts.size(); ++i) {
    CAPTURE(i, cuts[i]);
    std::vector<int> places;
    for (const int body : cuts[i]) places.push_back(placeAlong(model, body));
    std::sort(places.begin(), places.end());
    const int length = places[1] - places[0];
    CHECK(length % 2 == 0);  // from rod to rod, or from coupler to coupler
    for (std::size_t k = 1; k < places.size(); ++k) CHECK(places[k] - places[k - 1] == length);
    CHECK(places.front() + 100 - places.back() < 2 * length);  // the rests at both ends
  }
}

TEST_CASE("distances are counted from body to joint to body", "[rt][plan]") {
  const Model model = buildModel(ladder(2));
  const Topology topology = topologyOf(model, HubRule::kNone);
  const std::vector<int> distance = distancesTo({0}, topology);
  CHECK(distance[0] == 0);
  for (int v = 0; v < topology.vertices(); ++v) {
    const int own = distance[static_cast<std::size_t>(v)];
    CHECK(own >= 0);
    CHECK(topology.isBody(v) == (own % 2 == 0));
    int least = own;
    for (const int other : topology.neighbors[static_cast<std::size_t>(v)])
      least = std::min(least, distance[static_cast<std::size_t>(other)]);
    if (own > 0) CHECK(least == own - 1);
  }
}

TEST_CASE("a ring is four segments in four lanes, but for the joints at the cuts", "[rt][plan]") {
  const Model model = buildModel(ring(100));
  const Plan plan = compilePlan(model), line = layOutPlan(model, HubRule::kNone);
  // 201 nodes; at each of four cuts two joints and a body, and the hook with its two joints
  CHECK(nodesInFullBatches(plan) >= 180);
  CHECK(nodesInFullBatches(line) == 0);
  CHECK(operationsInBatches(plan) < 0.33 * operationsInBatches(line));  // a quarter, and the joints at the cuts
}

TEST_CASE("a long ladder has units whose segments are lanes", "[rt][plan]") {
  const Model model = buildModel(ladder(50));
  const Plan plan = compilePlan(model), line = layOutPlan(model, HubRule::kNone);
  REQUIRE(plan.units() >= 2);
  // A segment in the middle has twice the boundary, and four lanes: two thirds, and the trunk.
  CHECK(operationsInBatches(plan) < 0.75 * operationsInBatches(line));
  double all = plan.trunk().cost;
  for (int u = 0; u < plan.units(); ++u) all += plan.parts[static_cast<std::size_t>(u)].cost;
  CHECK(plan.trunk().cost < 0.3 * all);  // DivisionRule::largest_in_way, for two threads, leaves a fifth
}

TEST_CASE("a short ladder is not divided into units, and a four-bar is not cut", "[rt][plan]") {
  CHECK(compilePlan(buildModel(ladder(10))).units() == 0);
  const Model model = buildModel(fourBar(FourBarReading::kDown));
  CHECK(compilePlan(model).in_place);
}

TEST_CASE("a line with cuts moves as one without", "[rt][plan]") {
  for (const ModelSpec& spec : {ladder(40), ring(41)}) {
    const Model model = buildModel(spec);
    const State line = after(model, layOutPlan(model, HubRule::kNone), 200);
    std::vector<Plan> plans = {compilePlan(model)};
    for (const std::vector<int>& cuts : cutsOf(model)) plans.push_back(planWith(model, cuts));
    REQUIRE(plans.size() > 3);
    for (const Plan& plan : plans) {
      CAPTURE(spec.name, plan.units(), plan.levels);
      // m, after 0.2 s: the ladder has turned by 0.2 rad. Compliances that differ by a factor near one at a joint of
      // the trunk move it by their relative size, 1e-9, times the loads, and by what 400 solves leave.
      CHECK(largestDistance(model, after(model, plan, 200), line) < 1e-8);
    }
  }
}
