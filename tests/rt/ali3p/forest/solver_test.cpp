// A forest by its groups against the same forest by the nodes of its tree.
// Covers: rt/ali3p/forest/evaluation.h, rt/ali3p/forest/ends.cpp, rt/ali3p/forest/layout.h, rt/ali3p/forest/lanes.h
// Covers: rt/ali3p/forest/sums.h, rt/ali3p/forest/sweep_down.cpp, rt/ali3p/forest/sweep_down.h
// Covers: rt/ali3p/forest/sweep_up.cpp, rt/ali3p/forest/sweep_up.h, rt/ali3p/forest/workspace.cpp
// Covers: rt/ali3p/tree/freedom_elimination.h, rt/plan/forest_groups.cpp
#include "rt/ali3p/forest/solver.h"
#include "rt/ali3p/compile_plan.h"
#include "rt/ali3p/step.h"
#include "rt/ali3p/workspace.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"

#include "tests/rt/ali3p/compare_steps.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace tactus;
using namespace tactus::tests;

namespace {

rt::Settings forestSettings(double dt) {
  rt::Settings settings;
  settings.period_ns = static_cast<std::int64_t>(1e9 * dt);
  settings.gyroscopic_above = rt::kNeverGyroscopic;  // which the groups lack
  return settings;
}

/// Steps of the groups are those of the tree by the same freedoms.
void compareWithTree(const rt::ModelSpec& spec, const rt::Settings& settings, int steps) {
  const rt::Model model = rt::buildModel(spec);
  const rt::Plan tree = rt::layOutPlan(model, rt::HubRule::kHubsLast, rt::findForest(model, rt::ForestRule::kTrees, 3));
  rt::Plan groups = tree;
  groups.forest = rt::findForestGroups(model, groups);
  REQUIRE(groups.forest);
  compareSteps(model, groups, tree, settings, steps);
}

}  // namespace

/// Actuators on some of the bodies and joints, drags, and friction in a revolute.
void loadForest(rt::ModelSpec& spec) {
  const auto add = [&spec](const std::string& name, auto kind) {
    rt::ActuatorSpec actuator;
    actuator.name = name;
    actuator.kind = kind;
    spec.actuators.push_back(actuator);
  };
  const std::size_t n = spec.bodies.size();
  add("pull", rt::BodyForceSpec{spec.bodies[n / 2].name, rt::Vector3d(0.1, 0.2, 0.3), rt::Vector3d::UnitZ(),
                                rt::Frame::kWorld});
  add("twist", rt::BodyTorqueSpec{spec.bodies.back().name, rt::Vector3d::UnitY(), rt::Frame::kBody});
  for (std::size_t i = 0; i < n; i += 3)
    spec.forces.push_back({"drag_" + std::to_string(i), "", rt::BodyDragSpec{spec.bodies[i].name, 0.3, 0.05}});
  for (const rt::JointSpec& joint : spec.joints) {
    if (!std::holds_alternative<rt::RevoluteSpec>(joint.kind)) continue;
    add("drive_" + joint.name, rt::JointTorqueSpec{joint.name});
    spec.forces.push_back({"friction_" + joint.name, "", rt::JointFrictionSpec{joint.name, 0.5, 1e-3}});
  }
}

TEST_CASE("groups and tree agree on forests of every size", "[rt][ali3p][forest]") {
  for (int n = 1; n <= 40; ++n)
    compareWithTree(randomForest(n, static_cast<std::uint64_t>(n)), forestSettings(1e-3), 10);
  compareWithTree(randomForest(300, 5), forestSettings(1e-3), 5);
  compareWithTree(randomTree(60, JointMix::kHinged, 4), forestSettings(1e-3), 10);
}

TEST_CASE("groups and tree agree for every setting, with and without loads", "[rt][ali3p][forest]") {
  rt::Settings plain = forestSettings(1e-3), third = plain, fourth = plain, newton = forestSettings(1e-2),
               refactoring = newton, unprojected = plain, twice = newton, slow = forestSettings(2e-2);
  third.third_order = true;
  fourth.fourth_order = true;
  newton.full_newton = true;
  newton.iterations = 4;
  refactoring.refactor_violation = 0;  // whatever would be left is too much: in every solve that may decide
  unprojected.velocity_passes = 0;
  twice.velocity_passes = 2;
  slow.iterations = 6;
  for (const bool loaded : {false, true})
    for (const rt::Settings& settings : {plain, third, fourth, newton, refactoring, unprojected, twice, slow}) {
      rt::ModelSpec spec = randomForest(23, 11);
      if (loaded) loadForest(spec);
      CAPTURE(loaded);
      compareWithTree(spec, settings, 10);
    }
}

TEST_CASE("a step in which a body of a forest spins fast is that of the tree", "[rt][ali3p][forest]") {
  const rt::Model model = rt::buildModel(randomForest(12, 3));
  const rt::Plan tree = rt::layOutPlan(model, rt::HubRule::kHubsLast, rt::findForest(model, rt::ForestRule::kTrees, 3));
  rt::Plan groups = tree;
  groups.forest = rt::findForestGroups(model, groups);
  rt::Settings settings = forestSettings(1e-3);
  settings.gyroscopic_above = 1e-6;  // bodies that turn at 2 rad/s exceed it
  rt::Workspace of_groups(model, groups), of_tree(model, tree);
  rt::State state = rt::initialState(model).state, expected = state;
  for (int i = 0; i < 5; ++i) {
    REQUIRE(rt::step(model, groups, settings, {}, state, of_groups).status == rt::TickStatus::kOk);
    REQUIRE(rt::step(model, tree, settings, {}, expected, of_tree).status == rt::TickStatus::kOk);
  }
  CHECK(state.values() == expected.values());
}

TEST_CASE("a forest refuses normals that have become dependent, and numbers that are not finite",
          "[rt][ali3p][forest]") {
  // A universal whose axes are one: its normal is zero.
  rt::ModelSpec spec = randomForest(1, 1);
  rt::BodySpec& body = spec.bodies[0];
  body = {};
  body.name = "cross";
  body.mass = 1;
  body.inertia = rt::Matrix3d::Identity();
  const rt::Vector3d none = rt::Vector3d::Zero();
  spec.joints = {makeJoint("universal", rt::kGroundName, "cross",
                           rt::UniversalSpec{none, none, rt::Vector3d::UnitX(), rt::Vector3d::UnitY()})};
  const rt::Model model = rt::buildModel(spec);
  rt::Plan plan = rt::compilePlan(model);
  plan.forest = rt::findForestGroups(model, plan);
  REQUIRE(plan.forest);
  rt::Workspace ws(model, plan);
  const rt::State declared = rt::initialState(model).state;
  rt::State state = declared;
  CHECK(rt::step(model, plan, forestSettings(1e-3), {}, state, ws).status == rt::TickStatus::kOk);
  state = declared;
  state.p(0) = rt::Vector4d(std::sqrt(0.5), 0, 0, -std::sqrt(0.5));  // turns y into x
  const rt::State turned = state;
  CHECK(rt::step(model, plan, forestSettings(1e-3), {}, state, ws).status == rt::TickStatus::kNotPositive);
  CHECK(state.values() == turned.values());
  state = declared;
  state.v(0)[1] = std::numeric_limits<double>::quiet_NaN();
  CHECK(rt::step(model, plan, forestSettings(1e-3), {}, state, ws).status != rt::TickStatus::kOk);
}

TEST_CASE("groups fill their lanes, and know their carriers and children", "[rt][plan][forest]") {
  for (int n = 1; n <= 60; ++n) {
    const rt::Model model = rt::buildModel(randomForest(n, static_cast<std::uint64_t>(n)));
    const auto groups = rt::findForestGroups(model, rt::compilePlan(model));
    REQUIRE(groups);
    std::vector<int> seen(static_cast<std::size_t>(n));
    for (std::size_t g = 0; g < groups->groups.size(); ++g) {
      const rt::ForestGroup& group = groups->groups[g];
      CHECK(group.filled > 0);
      for (std::size_t lane = 0; lane < 4; ++lane) {
        if (group.has(static_cast<int>(lane))) ++seen[static_cast<std::size_t>(group.bodies[lane])];
        const auto bodyAt = [&](const rt::ForestPlace& place) {
          return groups->groups[static_cast<std::size_t>(place.group)].bodies[static_cast<std::size_t>(place.lane)];
        };
        const int joint = group.joints[lane];
        CHECK((joint < 0) == (group.freedoms == rt::kFreeBody));
        const int carrier =
            joint < 0 ? rt::kGround : rt::carrierOf(model.joints[static_cast<std::size_t>(joint)], group.bodies[lane]);
        CHECK((carrier == rt::kGround
                   ? group.carriers[lane].group < 0
                   : group.carriers[lane].group < static_cast<int>(g) && bodyAt(group.carriers[lane]) == carrier));
        for (const auto& children : group.children)
          if (children[lane].group >= 0) {
            const rt::ForestGroup& child = groups->groups[static_cast<std::size_t>(children[lane].group)];
            CHECK(bodyAt(child.carriers[static_cast<std::size_t>(children[lane].lane)]) == group.bodies[lane]);
          }
      }
    }
    CHECK(std::count(seen.begin(), seen.end(), 1) == n);
  }
}

TEST_CASE("a loop, a law or a drive is no forest", "[rt][plan][forest]") {
  rt::ModelSpec sprung = randomForest(3, 2);
  rt::BushingSpec bushing;
  bushing.body_1 = rt::kGroundName;
  bushing.body_2 = sprung.bodies[0].name;
  bushing.stiffness = rt::Matrix3d::Identity();
  sprung.forces.push_back({"bushing", "", bushing});
  for (const rt::ModelSpec& spec : {randomLoop(5, 1, 3), randomTree(8, JointMix::kMixed, 5), sprung}) {
    const rt::Model model = rt::buildModel(spec);
    CHECK_FALSE(rt::findForestGroups(model, rt::compilePlan(model)));
  }
}
