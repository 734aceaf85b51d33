#include "rt/ali3p/compile_plan.h"
#include "rt/model/model.h"

#include "rt/math/euler_parameters.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>

using namespace tactus::rt;
using namespace tactus::tests;

namespace {

int carriedBodiesOf(const Plan& plan) {
  return static_cast<int>(std::count_if(plan.nodes.begin(), plan.nodes.end(),
                                        [](const PlanNode& node) { return node.kind == NodeKind::kFreedomBody; }));
}

}  // namespace

TEST_CASE("hubs go last where that keeps the rank rule and pays", "[rt][plan]") {
  const Model free_star = buildModel(star(8, JointMix::kSpherical, false, 3));
  const Plan hubs_last = compilePlan(free_star, LaneRule::kChains, FreedomRule::kNone);
  const Plan bodies_first = layOutPlan(free_star, HubRule::kNone);
  CHECK(hubs_last.hubs == 1);
  CHECK(hubs_last.factor_flops < bodies_first.factor_flops);
  CHECK(hubs_last.largest_front < bodies_first.largest_front);
}

TEST_CASE("a plan has no hubs where the bodies behind a joint cannot carry its rows", "[rt][plan]") {
  // The hub hangs on a body that is itself hinged to ground: ten rows meet on its six freedoms.
  ModelSpec spec = star(6, JointMix::kSpherical, false, 4);
  const BodySpec hub = spec.bodies.front();
  const Vector3d at = hub.position + Vector3d(0, 0, 1);
  spec.bodies.push_back(makeBody("hanger", at));
  const Vector3d axis_hub = rotationMatrix(hub.orientation).transpose() * Vector3d::UnitY();
  const Vector3d point_hub = rotationMatrix(hub.orientation).transpose() * (at - hub.position);
  spec.joints.push_back(makeJoint("post", "ground", "hanger",
                                  RevoluteSpec{at, Vector3d::Zero(), Vector3d::UnitX(), Vector3d::UnitX(), 0}));
  spec.joints.push_back(
      makeJoint("pin", hub.name, "hanger", RevoluteSpec{point_hub, Vector3d::Zero(), axis_hub, Vector3d::UnitY(), 0}));
  const Model model = buildModel(spec);
  CHECK(layOutPlan(model, HubRule::kHubsLast).hubs == 1);
  CHECK(compilePlan(model, LaneRule::kChains, FreedomRule::kNone).hubs == 0);
}

TEST_CASE("a chain gets its lanes unless they are forbidden", "[rt][plan]") {
  CHECK(compilePlan(buildModel(chain(3))).chain);
  CHECK_FALSE(compilePlan(buildModel(chain(3)), LaneRule::kNone).chain);
}

TEST_CASE("a plan takes freedoms where they cost less", "[rt][plan]") {
  ModelSpec arm;
  arm.gravity = Vector3d::Zero();
  const Vector3d end(0.5, 0, 0);
  for (int i = 0; i < 7; ++i) {
    arm.bodies.push_back(makeBody("link_" + std::to_string(i), Vector3d(i, 0, 0)));
    const Vector3d axis = i % 2 == 0 ? Vector3d::UnitZ() : Vector3d::UnitY();
    const std::string before = i == 0 ? "ground" : arm.bodies[arm.bodies.size() - 2].name;
    arm.joints.push_back(makeJoint("joint_" + std::to_string(i), before, arm.bodies.back().name,
                                   RevoluteSpec{i == 0 ? Vector3d(-end) : end, -end, axis, axis, 0}));
  }
  CHECK(carriedBodiesOf(compilePlan(buildModel(arm))) == 7);
  CHECK(carriedBodiesOf(compilePlan(buildModel(arm), LaneRule::kChains, FreedomRule::kNone)) == 0);
  // Redundant rows: the joints of their loops share the multipliers.
  CHECK(carriedBodiesOf(compilePlan(buildModel(fourBar(FourBarReading::kDown)))) == 0);
  CHECK(carriedBodiesOf(compilePlan(buildModel(ladder(4)))) == 0);
  // A chain has its lanes.
  CHECK(carriedBodiesOf(compilePlan(buildModel(chain(3)))) == 0);
}
