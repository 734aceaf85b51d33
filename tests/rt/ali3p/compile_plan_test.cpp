#include "rt/ali3p/compile_plan.h"
#include "rt/model/model.h"

#include "rt/math/euler_parameters.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

using namespace tactus::rt;
using namespace tactus::tests;

TEST_CASE("hubs go last where that keeps the rank rule and pays", "[rt][plan]") {
  const Model free_star = buildModel(star(8, JointMix::kSpherical, false, 3));
  const Plan hubs_last = compilePlan(free_star);
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
  CHECK(compilePlan(model).hubs == 0);
}

TEST_CASE("a chain gets its lanes unless they are forbidden", "[rt][plan]") {
  CHECK(compilePlan(buildModel(chain(3))).chain);
  CHECK_FALSE(compilePlan(buildModel(chain(3)), LaneRule::kNone).chain);
}
