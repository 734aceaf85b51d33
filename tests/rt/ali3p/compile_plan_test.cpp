// Covers: rt/plan/tree_work.cpp
#include "rt/ali3p/compile_plan.h"
#include "rt/model/model.h"
#include "rt/plan/tree_work.h"

#include "rt/math/euler_parameters.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"

#include <sys/resource.h>
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

/// A free body with `arms` bodies on springs around it.
ModelSpec starOfSprings(int arms) {
  ModelSpec spec;
  spec.gravity = Vector3d::Zero();
  spec.bodies.push_back(makeBody("hub", Vector3d::Zero()));
  for (int i = 0; i < arms; ++i) {
    const std::string number = std::to_string(i);
    spec.bodies.push_back(makeBody("arm_" + number, Vector3d(1 + 0.01 * i, 0, 0)));
    TranslationalSpringSpec spring;
    spring.body_1 = "hub";
    spring.body_2 = spec.bodies.back().name;
    spring.stiffness = 1000;
    ForceSpec force;
    force.name = "spring_" + number;
    force.kind = spring;
    spec.forces.push_back(force);
  }
  return spec;
}

/// The most memory that this process has held, bytes.
double peakMemory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

}  // namespace

TEST_CASE("hubs go last where that keeps the rank rule and pays", "[rt][plan]") {
  const Model free_star = buildModel(star(8, JointMix::kSpherical, false, 3));
  const Plan hubs_last = compilePlan(free_star, LaneRule::kAll, FreedomRule::kNone);
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
  CHECK(compilePlan(model, LaneRule::kAll, FreedomRule::kNone).hubs == 0);
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
  CHECK(carriedBodiesOf(compilePlan(buildModel(arm), LaneRule::kAll, FreedomRule::kNone)) == 0);
  // Redundant rows: the joints of their loops share the multipliers.
  CHECK(carriedBodiesOf(compilePlan(buildModel(fourBar(FourBarReading::kDown)))) == 0);
  CHECK(carriedBodiesOf(compilePlan(buildModel(ladder(4)))) == 0);
  // A chain has its lanes.
  CHECK(carriedBodiesOf(compilePlan(buildModel(chain(3)))) == 0);
}

TEST_CASE("a tree that is far too large for a body with many neighbors is not laid out", "[rt][plan]") {
  const Model model = buildModel(starOfSprings(600));
  const double before = peakMemory();
  const Plan plan = compilePlan(model);
  CHECK(plan.hubs == 1);
  CHECK(plan.largest_front == 7);  // a spring and the hub
  CHECK(8.0 * static_cast<double>(plan.front_doubles) < 1e6);
  // The tree with bodies first has 0.6 GB of fronts. The bound is so high for address sanitizers, which give freed
  // memory back late.
  CHECK(peakMemory() - before < 4e8);
}

TEST_CASE("trees are weighed before they are laid out", "[rt][plan]") {
  for (const HubRule rule : {HubRule::kNone, HubRule::kHubsLast})
    for (const ModelSpec& spec :
         {star(8, JointMix::kHinged, true, 5), hubWithLoops(3, 4), ladder(4), starOfSprings(9)}) {
      const Model model = buildModel(spec);
      for (const Forest& forest : {Forest{}, findForest(model, ForestRule::kTrees, 3)}) {
        const Plan plan = layOutPlan(model, rule, forest);
        const TreeWork work = workOf(model, rule, forest);
        // Sums of integers and thirds in another order.
        CHECK(work.operations == Approx(plan.factor_flops + 5 * plan.solve_flops).epsilon(1e-12));
        CHECK(work.front_bytes <= 8.0 * static_cast<double>(plan.front_doubles));  // that have padding
      }
    }
}
