// Covers: rt/mechanics/constraint_system.cpp
#include "rt/mechanics/undamped_vibration.h"
#include "rt/model/model.h"

#include "rt/mechanics/constraint_system.h"
#include "rt/mechanics/initial_state.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace tactus;
using namespace tactus::tests;
using rt::ModelSpec;
using rt::Vector3d;

namespace {

/// A body of `mass` 1 m along x from ground, held by `count` parallel springs of the same law.
ModelSpec onSprings(double mass, double stiffness, double damping, int count = 1) {
  ModelSpec spec;
  spec.name = "on_springs";
  spec.gravity = Vector3d::Zero();
  rt::BodySpec body = makeBody("mass", {1, 0, 0});
  body.mass = mass;
  spec.bodies = {body};
  for (int k = 0; k < count; ++k) {
    rt::TranslationalSpringSpec s;
    s.body_1 = rt::kGroundName;
    s.body_2 = "mass";
    s.stiffness = stiffness;
    s.damping = damping;
    spec.forces.push_back({numbered("spring_", static_cast<std::size_t>(k)), "", s});
  }
  return spec;
}

rt::UndampedVibration vibrationOf(const ModelSpec& spec, double damping_time = 0) {
  return rt::fastestUndampedVibration(rt::buildModel(spec), damping_time);
}

// Power iteration ends at changes of a thousandth of the squared frequency.
constexpr double kTolerance = 1e-2;

}  // namespace

TEST_CASE("undamped vibration: springs of one mass, in closed form", "[rt][mechanics]") {
  CHECK(vibrationOf(onSprings(2, 800, 0), 1e-5).frequency == Approx(20).epsilon(kTolerance));
  CHECK(vibrationOf(onSprings(2, 800, 0, 4), 1e-5).frequency == Approx(40).epsilon(kTolerance));
  CHECK(vibrationOf(onSprings(2, 800, 0), 1e-5).joint == 0);
  ModelSpec none = onSprings(2, 800, 0);
  none.forces.clear();
  CHECK(vibrationOf(none, 1e-5).frequency == 0);
  CHECK(vibrationOf(none, 1e-5).joint == -1);
}

TEST_CASE("undamped vibration: two masses on one spring vibrate with the reduced mass", "[rt][mechanics]") {
  ModelSpec spec = onSprings(2, 800, 0);
  rt::BodySpec other = makeBody("other", {3, 0, 0});
  other.mass = 6;
  spec.bodies.push_back(other);
  std::get<rt::TranslationalSpringSpec>(spec.forces[0].kind).body_1 = "other";
  CHECK(vibrationOf(spec, 1e-5).frequency == Approx(std::sqrt(800 / 1.5)).epsilon(kTolerance));
}

TEST_CASE("undamped vibration: a joint takes away the motions that it blocks", "[rt][mechanics]") {
  // The springs end off the rail: a free body of small inertia would turn fast about its center.
  ModelSpec spec = onSprings(2, 800, 0);
  spec.bodies[0].inertia = 1e-6 * rt::Matrix3d::Identity();
  std::get<rt::TranslationalSpringSpec>(spec.forces[0].kind).point_1 = {0, 0.3, 0};
  std::get<rt::TranslationalSpringSpec>(spec.forces[0].kind).point_2 = {0, 0.3, 0};
  CHECK(vibrationOf(spec, 1e-5).frequency > 1000);
  rt::PrismaticSpec rail;
  rail.point_2 = {-1, 0, 0};
  rail.axis_1 = rail.axis_2 = {1, 0, 0};
  spec.joints = {makeJoint("rail", rt::kGroundName, "mass", rail)};
  const rt::UndampedVibration v = vibrationOf(spec, 1e-5);
  CHECK(v.frequency == Approx(20).epsilon(kTolerance));
  CHECK(rt::buildModel(spec).joint_names[static_cast<std::size_t>(v.joint)] == "spring_0");
}

TEST_CASE("undamped vibration: rows with enough damping do not count, slopes of stops and curves do",
          "[rt][mechanics]") {
  CHECK(vibrationOf(onSprings(2, 800, 8), 1e-2 * 0.999).frequency == 0);
  CHECK(vibrationOf(onSprings(2, 800, 8), 1e-2 * 1.001).frequency == Approx(20).epsilon(kTolerance));

  ModelSpec stop = onSprings(2, 800, 80);
  std::get<rt::TranslationalSpringSpec>(stop.forces[0].kind).law.maximum_stop = rt::StopSpec{1.5, 5e4, 1, 0};
  CHECK(vibrationOf(stop, 1e-2).frequency == Approx(std::sqrt(50800 / 2.0)).epsilon(kTolerance));

  ModelSpec rotor = onSprings(2, 800, 0);
  rotor.forces.clear();
  rotor.bodies[0].position.setZero();
  rotor.bodies[0].inertia = 0.01 * rt::Matrix3d::Identity();
  rt::RevoluteSpec hinge;
  hinge.axis_1 = hinge.axis_2 = {0, 0, 1};
  rotor.joints = {makeJoint("hinge", rt::kGroundName, "mass", hinge)};
  rotor.forces = {{"torsion", "", rt::RotationalSpringSpec{"hinge", 4, 0, 0, 0}}};
  CHECK(vibrationOf(rotor, 1e-5).frequency == Approx(20).epsilon(kTolerance));
}

TEST_CASE("the constraints of a mechanism: a correction removes a residual of the rows", "[rt][mechanics]") {
  const rt::Model model = rt::buildModel(randomLoop(6, 2, 22));
  const rt::State state = rt::initialState(model).state;
  rt::ConstraintSystem system(model);
  system.evaluate(rt::bodyMotions(state), state, {});
  CHECK(system.phi().norm() < 1e-10);  // an assembled state
  Eigen::VectorXd move(6 * model.bodyCount()), multipliers;
  for (Eigen::Index k = 0; k < move.size(); ++k) move[k] = std::sin(static_cast<double>(k));
  const Eigen::VectorXd residual = system.H() * move;
  const Eigen::VectorXd allowed = move + system.correct(residual, multipliers);
  CHECK((system.H() * allowed).norm() < 1e-6 * residual.norm());  // the compliance of redundant rows, 1e-9
}
