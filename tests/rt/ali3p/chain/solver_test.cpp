// A chain by its lanes against the same chain by the nodes of its tree.
// Covers: rt/ali3p/chain/sweep_up.h, rt/ali3p/chain/sweep_down.h, rt/ali3p/chain/evaluation.h, rt/ali3p/chain/loads.h
// Covers: rt/ali3p/chain/interfaces.cpp, rt/ali3p/chain/segment_rows.h, rt/ali3p/chain/workspace.cpp
// Covers: rt/ali3p/stiffness_limit_lanes.h, rt/ali3p/chain/motion.h, rt/ali3p/chain/layout.h, rt/ali3p/chain/context.h, rt/ali3p/chain/lanes_of.h
#include "rt/ali3p/chain/solver.h"
#include "rt/ali3p/compile_plan.h"
#include "rt/ali3p/workspace.h"
#include "rt/model/model.h"

#include "rt/ali3p/step.h"
#include "rt/mechanics/initial_state.h"
#include "tests/rt/ali3p/compare_steps.h"
#include "tests/support/dense_mechanism.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

#include <limits>

using namespace tactus;
using namespace tactus::tests;

namespace {

/// Forces in body and world axes and a torque, and drags, on some of the bodies.
void addLoads(rt::ModelSpec& spec) {
  const std::size_t n = spec.bodies.size();
  const auto add = [&spec](const std::string& name, auto kind) {
    rt::ActuatorSpec actuator;
    actuator.name = name;
    actuator.kind = kind;
    spec.actuators.push_back(actuator);
  };
  add("pull", rt::BodyForceSpec{spec.bodies[n / 2].name, rt::Vector3d(0.1, 0.2, 0.3), rt::Vector3d::UnitZ(),
                                rt::Frame::kWorld});
  add("push",
      rt::BodyForceSpec{spec.bodies[n / 2].name, rt::Vector3d(0.1, 0, 0), rt::Vector3d::UnitX(), rt::Frame::kBody});
  add("twist", rt::BodyTorqueSpec{spec.bodies.back().name, rt::Vector3d::UnitY(), rt::Frame::kBody});
  for (std::size_t i = 0; i < n; i += 3)
    spec.forces.push_back({"drag_" + std::to_string(i), "", rt::BodyDragSpec{spec.bodies[i].name, 0.3, 0.05}});
}

/// Every second joint names its bodies the other way round.
void turnJointsRound(rt::ModelSpec& spec) {
  for (std::size_t j = 0; j < spec.joints.size(); j += 2) {
    rt::JointSpec& joint = spec.joints[j];
    auto& points = std::get<rt::SphericalSpec>(joint.kind);
    std::swap(joint.body_1, joint.body_2);
    std::swap(points.point_1, points.point_2);
  }
}

rt::ModelSpec withoutJointsToGround(rt::ModelSpec spec) {
  std::erase_if(spec.joints,
                [](const rt::JointSpec& j) { return j.body_1 == rt::kGroundName || j.body_2 == rt::kGroundName; });
  return spec;
}

/// Steps of the lanes are those of the tree.
void checkAgainstTree(const rt::ModelSpec& spec, rt::Settings settings, int steps) {
  settings.gyroscopic_above = rt::kNeverGyroscopic;  // which the lanes lack
  const rt::Model model = rt::buildModel(spec);
  const rt::Plan lanes = rt::compilePlan(model),
                 tree = rt::compilePlan(model, rt::LaneRule::kNone, rt::FreedomRule::kNone);
  REQUIRE(lanes.chain);
  REQUIRE_FALSE(tree.chain);
  compareSteps(model, lanes, tree, settings, steps);
}

rt::Settings settingsOf(double dt) {
  rt::Settings settings;
  settings.period_ns = static_cast<std::int64_t>(1e9 * dt);
  return settings;
}

}  // namespace

TEST_CASE("lanes and tree agree on chains of every length", "[rt][ali3p][chain]") {
  for (int n : {2, 3, 4, 5, 7, 8, 9, 33, 64, 130, 530}) {
    rt::ModelSpec spec = randomChain(n, 3, static_cast<std::uint64_t>(n));
    addLoads(spec);
    checkAgainstTree(spec, settingsOf(1e-3), n < 100 ? 30 : 5);
    turnJointsRound(spec);
    checkAgainstTree(reordered(spec, 3), settingsOf(5e-3), n < 100 ? 30 : 5);
  }
}

TEST_CASE("lanes and tree agree on chains with both ends free or on ground", "[rt][ali3p][chain]") {
  for (int n : {3, 4, 8, 11, 12, 32}) {
    rt::ModelSpec closed = randomLoop(n, 0, static_cast<std::uint64_t>(n));
    addLoads(closed);
    checkAgainstTree(closed, settingsOf(1e-3), 20);
    turnJointsRound(closed);
    checkAgainstTree(reordered(closed, 5), settingsOf(1e-3), 20);
    rt::ModelSpec open = withoutJointsToGround(randomChain(n, 3, static_cast<std::uint64_t>(n)));
    addLoads(open);
    checkAgainstTree(open, settingsOf(1e-3), 20);
  }
}

TEST_CASE("lanes and tree agree under every setting", "[rt][ali3p][chain]") {
  const rt::ModelSpec spec = randomChain(9, 5, 4);
  rt::Settings settings = settingsOf(2e-3);
  settings.iterations = 4;
  settings.full_newton = true;
  checkAgainstTree(spec, settings, 20);
  settings.full_newton = false;
  settings.velocity_passes = 0;
  checkAgainstTree(spec, settings, 20);
  settings.velocity_passes = 3;
  settings.refactor_above = 1e-3;
  checkAgainstTree(spec, settings, 20);
  settings.absolute_alpha = 1e9;
  checkAgainstTree(spec, settings, 20);
  // Without drags lanes do one acceleration projection less than the tree.
  rt::ModelSpec loaded = spec;
  addLoads(loaded);
  for (const int order : {3, 4}) {
    settings = settingsOf(5e-3);
    settings.setOrder(order);
    settings.iterations = 1;
    checkAgainstTree(loaded, settings, 20);
  }
}

TEST_CASE("accelerations that lanes end a step with are those of the dense mechanism at its positions and velocities",
          "[rt][ali3p][chain]") {
  for (const int links : {2, 3, 8, 9, 40}) {
    CAPTURE(links);
    const rt::ModelSpec spec = randomChain(links, 2, static_cast<std::uint64_t>(links));
    const rt::Model model = rt::buildModel(spec);
    const rt::Plan plan = rt::compilePlan(model);
    REQUIRE(plan.chain);
    rt::Workspace ws(model, plan);
    rt::State state = rt::initialState(model).state;
    const rt::Settings settings = settingsOf(1e-3);
    const DenseMechanism dense(spec);
    for (int i = 0; i < 5; ++i) {
      REQUIRE(rt::step(model, plan, settings, {}, state, ws).status == rt::TickStatus::kOk);
      MotionState motion;
      for (int body = 0; body < links; ++body) {
        motion.r.emplace_back(state.r(body));
        motion.p.emplace_back(state.p(body));
        motion.v.emplace_back(state.v(body));
        motion.omega.emplace_back(state.omega(body));
      }
      const VectorXd expected = dense.accelerations(motion).a;
      for (int body = 0; body < links; ++body) {
        const Vector3d alpha_w = rotationOf(motion.p[static_cast<std::size_t>(body)]) * state.alpha(body);
        // The regularization of the rows leaves 1e-9 of the accelerations; a chain amplifies it by its length.
        CHECK((state.a(body) - expected.segment<3>(6 * body)).norm() < 1e-6 * (1 + expected.norm()));
        CHECK((alpha_w - expected.segment<3>(6 * body + 3)).norm() < 1e-6 * (1 + expected.norm()));
      }
      // Velocities fulfill the rows: the projection of the lanes, against the Jacobian of the oracle.
      VectorXd velocity(6 * links);
      for (int body = 0; body < links; ++body)
        velocity.segment<6>(6 * body) << state.v(body),
            rotationOf(motion.p[static_cast<std::size_t>(body)]) * state.omega(body);
      // The iterations leave less than 1e-6 of the motion in the rows.
      CHECK((dense.jacobian(motion) * velocity).norm() < 1e-6 * (1 + velocity.norm()));
      CHECK(dense.position(motion).norm() < 1e-6);  // likewise
    }
  }
}

TEST_CASE("lanes limit the geometric stiffness where the tree does", "[rt][ali3p][chain]") {
  const bool ends_on_ground = GENERATE(false, true);
  rt::ModelSpec spec = ends_on_ground ? randomLoop(6, 0, 11) : randomChain(6, 40, 11);
  for (rt::BodySpec& body : spec.bodies) body.inertia *= 1e-3;
  rt::Settings settings = settingsOf(ends_on_ground ? 3e-2 : 1e-2);
  settings.iterations = 4;
  const rt::Model model = rt::buildModel(spec);
  const rt::Plan plan = rt::compilePlan(model);
  rt::Workspace ws(model, plan);
  rt::State state = rt::initialState(model).state;
  REQUIRE(rt::step(model, plan, settings, {}, state, ws).limited > 0);
  checkAgainstTree(spec, settings, 2);
}

TEST_CASE("lanes do not count ground among the bodies with limited stiffness", "[rt][ali3p][chain]") {
  // Loads that would limit the stiffness of a body of 1 kg m^2, as which lanes treat ground at the end of a chain.
  rt::ModelSpec spec = randomLoop(6, 0, 11);
  for (rt::BodySpec& body : spec.bodies) {
    body.inertia *= 1e-3;
    body.mass *= 1e3;
  }
  rt::Settings settings = settingsOf(3e-2);
  settings.iterations = 4;
  settings.gyroscopic_above = rt::kNeverGyroscopic;
  const rt::Model model = rt::buildModel(spec);
  const auto limitedBy = [&](const rt::Plan& plan) {
    rt::Workspace ws(model, plan);
    rt::State state = rt::initialState(model).state;
    return rt::step(model, plan, settings, {}, state, ws).limited;
  };
  const int by_tree = limitedBy(rt::compilePlan(model, rt::LaneRule::kNone, rt::FreedomRule::kNone));
  CHECK(by_tree > 0);
  CHECK(limitedBy(rt::compilePlan(model)) == by_tree);
}

TEST_CASE("along lanes a number that is not finite is found wherever it stands", "[rt][ali3p]") {
  const bool third_order = GENERATE(false, true);
  const double poison = GENERATE(std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity());
  for (const int links : {2, 9, 37}) {
    rt::ModelSpec spec = randomChain(links, 2.0, 5);  // fixed seed
    addLoads(spec);
    const rt::Model model = rt::buildModel(spec);
    const rt::Plan plan = rt::compilePlan(model);
    REQUIRE(plan.chain);
    rt::Settings settings = rt::chooseSettings(model, 1'000'000);
    settings.third_order = third_order;
    rt::Workspace ws(model, plan);
    rt::State good = rt::initialState(model).state;
    const std::vector<double> input(model.actuators.size(), 0.5);
    REQUIRE(rt::step(model, plan, settings, input, good, ws).status == rt::TickStatus::kOk);
    const rt::StateLayout& layout = good.layout();
    int unnoticed = 0;
    const auto tryAt = [&](int i) {
      rt::State state = good;
      state.values()[static_cast<std::size_t>(i)] = poison;
      const std::uint64_t before = rt::hashState(state);
      const rt::StepReport report = rt::step(model, plan, settings, input, state, ws);
      if (report.status == rt::TickStatus::kOk || rt::hashState(state) != before) ++unnoticed;
    };
    for (int i = 0; i < layout.jointDisplacements(); ++i) tryAt(i);
    for (const int i : {layout.workInput(), layout.powerInput(), layout.workDissipated(), layout.powerDissipated()})
      tryAt(i);
    CHECK(unnoticed == 0);
    CHECK(rt::step(model, plan, settings, input, good, ws).status == rt::TickStatus::kOk);
  }
}
