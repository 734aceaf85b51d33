// Static equilibria against closed forms.
#include "rt/offline/analysis/equilibrium.h"
#include "rt/error.h"
#include "rt/mechanics/initial_state.h"
#include "rt/mechanics/joint_constraints.h"
#include "rt/mechanics/kinematics.h"
#include "rt/model/model.h"
#include "rt/state/actuator_input.h"
#include "tests/support/beams.h"
#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>

using namespace tactus;
using namespace tactus::tests;
using rt::Vector3d;
using rt::offline::Equilibrium;
using rt::offline::EquilibriumOptions;
using rt::offline::findEquilibrium;

namespace {

constexpr double kPi = std::numbers::pi;

/// A beam with its first node held by ground and an actuator on its last node.
rt::ModelSpec loadedBeam(const std::vector<Vector3d>& points, int elements, const rt::GeneralSectionSpec& section,
                         const decltype(rt::ActuatorSpec::kind)& load) {
  rt::ModelSpec spec = clampedBeam(points, elements, section);
  rt::ActuatorSpec actuator;
  actuator.name = "load";
  actuator.kind = load;
  spec.actuators = {actuator};
  return spec;
}

Vector3d pointOf(const rt::Model& model, const rt::State& state, const Vector3d& arm) {
  const rt::BodyMotion m = rt::bodyMotion(state.view(), model.bodyCount() - 1);
  return m.r + m.R * arm;
}

Equilibrium equilibriumOf(const rt::Model& model, const std::vector<double>& input, int load_steps = 1) {
  EquilibriumOptions options;
  options.load_steps = load_steps;
  return findEquilibrium(model, rt::initialState(model).state, input, options);
}

/// A unit link on a hinge about z, at an angle from x.
rt::ModelSpec pendulum(double angle) {
  rt::ModelSpec spec;
  spec.name = "pendulum";
  spec.gravity = Vector3d(0, -9.81, 0);
  const Vector3d along(std::cos(angle), std::sin(angle), 0);
  spec.bodies = {makeBody("link", 0.5 * along)};
  spec.joints = {makeJoint("hinge", "ground", "link",
                           rt::RevoluteSpec{{0, 0, 0}, -0.5 * along, Vector3d::UnitZ(), Vector3d::UnitZ(), 0})};
  return spec;
}

}  // namespace

TEST_CASE("an end moment rolls a beam into a closed circle", "[rt][offline][analysis]") {
  const double L = 10, EI = 100;
  for (const int n : {4, 8}) {
    const rt::Model model = rt::buildModel(loadedBeam(
        {Vector3d::Zero(), L * Vector3d::UnitX()}, n, sectionOf(1e4, 5e3, 80, EI, 1, 1e-3),
        rt::BodyTorqueSpec{numbered("beam.", static_cast<std::size_t>(n)), Vector3d::UnitZ(), rt::Frame::kWorld}));
    const Vector3d end(L / n / 6, 0, 0);  // the mass of the last node lies inside the end
    const Equilibrium half = equilibriumOf(model, {kPi * EI / L}, 5),
                      whole = equilibriumOf(model, {2 * kPi * EI / L}, 10);
    // Newton's round-off: 1e-9 of the length. Half a circle has its diameter above the clamp.
    CHECK((pointOf(model, half.state, end) - Vector3d(0, 2 * L / kPi, 0)).norm() < 1e-8 * L);
    CHECK(pointOf(model, whole.state, end).norm() < 1e-8 * L);
    CHECK(whole.indifferent == 0);
    CHECK(whole.steps.size() >= 10);
  }
}

TEST_CASE("a dead force bends the arc of Bathe and Bolourchi out of its plane", "[rt][offline][analysis]") {
  const int n = 8;
  std::vector<Vector3d> arc;
  for (int k = 0; k <= n; ++k) {
    const double angle = kPi / 4 * k / n;
    arc.emplace_back(100 * std::sin(angle), -100 * (1 - std::cos(angle)), 0);
  }
  const Vector3d end(100 * kPi / 4 / n / 6, 0, 0);
  const rt::Model model =
      rt::buildModel(loadedBeam(arc, n, sectionOf(1e7, 4.16667e6, 8.333e5, 8.333e5, 1, 1),
                                rt::BodyForceSpec{"beam.8", end, Vector3d::UnitZ(), rt::Frame::kWorld}));
  const Vector3d before = pointOf(model, rt::initialState(model).state, end);
  const Vector3d moved = pointOf(model, equilibriumOf(model, {600}, 10).state, end) - before;
  // The limit of fine meshes; 8 elements are within 0.02 in of 60.
  CHECK((moved - Vector3d(-23.561297, 13.605023, 53.476108)).norm() < 0.02);
}

TEST_CASE("a pendulum is led down to its stable equilibrium; upright it is called unstable",
          "[rt][offline][analysis]") {
  for (const double angle : {0.0, 0.7, -1.0, 3.0}) {
    const rt::Model model = rt::buildModel(pendulum(angle));
    const Equilibrium found = equilibriumOf(model, {});
    CAPTURE(angle);
    CHECK((found.state.view().r(0) - Vector3d(0, -0.5, 0)).norm() < 1e-9);  // round-off of the last step
    CHECK(found.unstable == 0);
    CHECK(found.freedoms == 1);
  }
  CHECK(equilibriumOf(rt::buildModel(pendulum(kPi / 2)), {}).unstable == 1);
}

TEST_CASE("pendulums on spherical joints come to hang straight down, whatever they begin with",
          "[rt][offline][analysis]") {
  // At the start no stiffness answers the weight; spins about the links stay without any.
  for (const rt::ModelSpec& spec : {doublePendulum(), chain(4)}) {
    const rt::Model model = rt::buildModel(spec);
    const Equilibrium found = equilibriumOf(model, {});
    CAPTURE(spec.name);
    for (int i = 0; i < model.bodyCount(); ++i)
      CHECK((found.state.view().r(i) - Vector3d(0, -0.5 - i, 0)).norm() < 1e-8);  // round-off of the last step
    CHECK(found.unstable == 0);
    CHECK(found.indifferent == model.bodyCount());
  }
}

TEST_CASE("a short rod leads its mass down, however far a step would go", "[rt][offline][analysis]") {
  rt::ModelSpec spec;
  spec.name = "rod";
  spec.gravity = Vector3d(0, 0, -9.81);
  spec.bodies = {makeBody("bob", {0.08, 0, 0})};
  spec.joints = {makeJoint("rod", "ground", "bob", rt::DistanceSpec{{0, 0, 0}, {0, 0, 0}, 0.08})};
  const rt::Model model = rt::buildModel(spec);
  CHECK((equilibriumOf(model, {}).state.view().r(0) - Vector3d(0, 0, -0.08)).norm() < 1e-9);  // round-off
}

TEST_CASE("a spring is pressed by its load, however little that is", "[rt][offline][analysis]") {
  for (const double stiffness : {1e4, 1e8, 1e9, 1e11}) {
    rt::ModelSpec spec;
    spec.name = "scale";
    spec.gravity = Vector3d(0, 0, -9.81);
    spec.bodies = {makeBody("plate", {0, 0, 1})};
    spec.bodies.front().mass = 0.01;
    const Vector3d z = Vector3d::UnitZ();
    spec.joints = {makeJoint("guide", "ground", "plate", rt::PrismaticSpec{{0, 0, 0}, {0, 0, 0}, z, z})};
    rt::TranslationalSpringSpec spring{"ground", "plate", {0, 0, 0}, {0, 0, 0}, stiffness, 0, 1.0};
    spec.forces = {{"spring", "", spring}};
    const rt::Model model = rt::buildModel(spec);
    CAPTURE(stiffness);
    const double pressed = 1 - equilibriumOf(model, {}).state.view().r(0).z();
    CHECK(std::abs(pressed - 0.0981 / stiffness) < 2e-6 * 0.0981 / stiffness + 1e-15);  // kBalanced, and round-off of 1
  }
}

TEST_CASE("a loop with redundant rows rests; its hinges on ground carry the weight", "[rt][offline][analysis]") {
  // A trapezoid that hangs from two hinges, with a heavy left rod.
  rt::ModelSpec spec;
  spec.name = "trapezoid";
  spec.gravity = Vector3d(0, -kGravity, 0);
  const double down = -std::sqrt(1 - 0.3 * 0.3);
  const Vector3d z = Vector3d::UnitZ(), rod(0.15, down / 2, 0), other(-0.15, down / 2, 0), bar(0.7, 0, 0);
  spec.bodies = {makeBody("left", rod), makeBody("bar", {1, down, 0}), makeBody("right", Vector3d(2, 0, 0) + other)};
  spec.bodies[0].mass = 3;
  spec.joints = {makeJoint("a", "ground", "left", rt::RevoluteSpec{{0, 0, 0}, -rod, z, z, 0}),
                 makeJoint("b", "left", "bar", rt::RevoluteSpec{rod, -bar, z, z, 0}),
                 makeJoint("c", "bar", "right", rt::RevoluteSpec{bar, other, z, z, 0}),
                 makeJoint("d", "right", "ground", rt::RevoluteSpec{-other, {2, 0, 0}, z, z, 0})};
  const rt::Model model = rt::buildModel(spec);
  const Equilibrium found = equilibriumOf(model, {});
  CHECK(found.redundant_rows == 3);
  CHECK((found.state.view().r(1) - spec.bodies[1].position).norm() > 0.01);  // it has moved to get there
  CHECK(found.unstable == 0);
  std::vector<rt::BodyMotion> motions;
  for (int i = 0; i < model.bodyCount(); ++i) motions.push_back(rt::bodyMotion(found.state.view(), i));
  Vector3d carried = Vector3d::Zero();
  double weight = 0;
  for (const rt::Body& body : model.bodies) weight += body.mass * kGravity;
  for (int j = 0; j < model.jointCount(); ++j) {
    const rt::Joint& joint = model.joints[static_cast<std::size_t>(j)];
    if (joint.body_1 != rt::kGround && joint.body_2 != rt::kGround) continue;
    const double sign = joint.body_1 == rt::kGround ? 1 : -1;
    carried += sign * rt::reactionOnBody2(model, j, motions.data(), found.state.view().lambda()).force;
  }
  CHECK((carried - Vector3d(0, weight, 0)).norm() < 1e-6 * weight);  // what kBalanced leaves
}

TEST_CASE("an equilibrium in a pose where the constraints lose rank says so", "[rt][offline][analysis]") {
  // Its rods hang on one line.
  const Equilibrium flat = equilibriumOf(rt::buildModel(fourBar(FourBarReading::kDown)), {});
  CHECK(flat.rank_at_start == 17);
  CHECK(flat.singular_rank == 16);
  // Redundant rows alone lose none.
  rt::ModelSpec wide = fourBar(FourBarReading::kDown);
  wide.gravity = Vector3d(kGravity, -kGravity, 0);  // it hangs where it begins, at 45 degrees
  const Equilibrium open = equilibriumOf(rt::buildModel(wide), {});
  CHECK(open.redundant_rows == 3);
  CHECK_FALSE(open.singular_rank.has_value());
}

TEST_CASE("a search that begins in a singular pose comes to an equilibrium of the closed loop",
          "[rt][offline][analysis]") {
  // A parallelogram whose bars hang on one line, where they may go apart on two branches; weight to the side.
  rt::ModelSpec spec = fourBar(FourBarReading::kDown);
  spec.gravity = Vector3d(5, -kGravity, 0);
  const double centers[] = {-0.5, -1.5, -1.5};
  for (std::size_t i = 0; i < 3; ++i) {
    spec.bodies[i].position = Vector3d(0, centers[i], 0);
    spec.bodies[i].orientation = spec.bodies[1].orientation;
  }
  for (const double stiffness : {0.0, 60.0}) {
    CAPTURE(stiffness);
    spec.forces.clear();
    for (const rt::JointSpec& joint : spec.joints) {
      if (stiffness == 0) break;
      rt::ForceSpec force;
      force.name = "spring_" + joint.name;
      rt::RotationalSpringSpec spring;
      spring.joint = joint.name;
      spring.stiffness = stiffness;
      force.kind = spring;
      spec.forces.push_back(force);
    }
    const rt::Model model = rt::buildModel(spec);
    const Equilibrium found = equilibriumOf(model, {});
    CHECK(found.rank_at_start == 16);
    CHECK(found.freedoms == 1);
    CHECK_FALSE(found.singular_rank.has_value());
    CHECK(found.violation < 1e-9);  // kLoopClosed
    // The joints that close the loop at the tip of the bars, each as its two bodies have it.
    const rt::BodyMotion a = rt::bodyMotion(found.state.view(), 0), b = rt::bodyMotion(found.state.view(), 1),
                         c = rt::bodyMotion(found.state.view(), 2);
    const Vector3d half(0.5, 0, 0);
    CHECK((a.r + a.R * half - (b.r - b.R * half)).norm() < 1e-9);  // kLoopClosed
    CHECK((c.r + c.R * half - (b.r + b.R * half)).norm() < 1e-9);  // kLoopClosed
    CHECK((c.r - c.R * half - Vector3d(0, -1, 0)).norm() < 1e-9);  // kLoopClosed
  }
}

TEST_CASE("what nothing holds has no equilibrium, and the body that would move is named", "[rt][offline][analysis]") {
  const rt::Model model = rt::buildModel(freeBody(0));
  CHECK_THROWS_WITH(equilibriumOf(model, {}), Catch::Contains("'brick' would move with 9.81 m/s^2"));
}
