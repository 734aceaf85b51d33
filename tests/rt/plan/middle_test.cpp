#include "rt/plan/middle.h"
#include "rt/math/worst.h"
#include "rt/model/model.h"
#include "rt/plan/units.h"

#include "rt/ali3p/compile_plan.h"
#include "rt/ali3p/step.h"
#include "rt/ali3p/workspace.h"
#include "rt/mechanics/initial_state.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace tactus::rt;
using namespace tactus::tests;

namespace {

std::vector<int> middleOf(const Model& model) {
  return findMiddle(topologyOf(model, HubRule::kNone));
}

State after(const Model& model, const Plan& plan, int ticks) {
  Workspace ws(model, plan);
  State state = initialState(model).state;
  for (int i = 0; i < ticks; ++i) REQUIRE(step(model, plan, {}, {}, state, ws).status == TickStatus::kOk);
  return state;
}

}  // namespace

TEST_CASE("the middle of a ladder is the body with as many bodies on either side", "[rt][plan]") {
  for (const int fields : {4, 5, 20}) {
    const Model model = buildModel(ladder(fields));
    const std::vector<int> middle = middleOf(model);
    CAPTURE(fields, middle);
    REQUIRE(middle.size() == 1);
    // Rods and couplers take turns along the ladder: rod 0, coupler 1, rod 1 ...
    const std::string& name = model.body_names[static_cast<std::size_t>(middle.front())];
    const auto underscore = name.find('_');
    const int number = std::stoi(name.substr(underscore + 1));
    const int place = name.substr(0, underscore) == "rod" ? 2 * number : 2 * number - 1;
    CHECK(std::abs(place - fields) <= 1);
  }
}

TEST_CASE("a mechanism of several components has no middle", "[rt][plan]") {
  CHECK(middleOf(buildModel(together({ladder(3), ladder(3)}))).empty());
  CHECK(middleOf(buildModel(freeBody(1))) == std::vector<int>{0});
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

TEST_CASE("a long ladder is eliminated from both ends to a joint in the middle, at no more operations", "[rt][plan]") {
  const Model model = buildModel(ladder(50));
  const Plan plan = compilePlan(model);
  const Plan line = layOutPlan(model, HubRule::kNone);
  REQUIRE(plan.units() == 2);
  CHECK(plan.factor_flops <= line.factor_flops);
  CHECK(plan.solve_flops <= line.solve_flops);
  CHECK(plan.levels < 0.6 * line.levels);  // half, and the feet of the rods
  const double all = plan.parts[0].cost + plan.parts[1].cost + plan.trunk().cost;
  CHECK(plan.trunk().cost < 0.01 * all);                                  // one joint of 151, or two
  CHECK(std::abs(plan.parts[0].cost - plan.parts[1].cost) < 0.03 * all);  // no more than one of 50 fields
}

TEST_CASE("a short ladder is not divided", "[rt][plan]") {
  CHECK(compilePlan(buildModel(ladder(10))).units() == 0);
}

TEST_CASE("a ladder from both ends moves as one from one end to the other", "[rt][plan]") {
  const Model model = buildModel(ladder(40));
  const Plan both = compilePlan(model), line = layOutPlan(model, HubRule::kNone);
  REQUIRE(both.units() == 2);
  const State a = after(model, both, 200), b = after(model, line, 200);
  double apart = 0;
  for (int i = 0; i < model.bodyCount(); ++i) apart = tactus::rt::worst(apart, (a.view().r(i) - b.view().r(i)).norm());
  // m, after 0.2 s: the ladder has turned by 0.2 rad. Compliances that differ by a factor near one at the joint in the
  // middle move it by their relative size, 1e-9, times the loads, and by what 400 solves leave.
  CHECK(apart < 1e-8);
}
