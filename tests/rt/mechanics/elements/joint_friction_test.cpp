// Dry friction and brakes: what they put on the bodies, and what they do in motion.
#include "rt/mechanics/elements/joint_friction.h"
#include "rt/model/model.h"

#include "rt/mechanics/energy.h"
#include "tests/rt/mechanics/elements/flywheel.h"
#include "tests/support/simulation.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace tactus;
using namespace tactus::tests;
using rt::Vector3d;

namespace {

/// A block of 10 kg on a slope of 30 degrees, held by friction along the slope.
rt::ModelSpec slope(double limit) {
  rt::ModelSpec spec;
  spec.name = "slope";
  spec.gravity = Vector3d(0, -kGravity, 0);
  rt::BodySpec block = makeBody("block", {0, 0, 0});
  block.mass = 10;
  spec.bodies = {block};
  rt::PrismaticSpec rail;
  rail.axis_1 = rail.axis_2 = {std::sqrt(0.75), -0.5, 0};
  spec.joints = {makeJoint("rail", "ground", "block", rail)};
  spec.forces = {{"dry", "", rt::JointFrictionSpec{"rail", limit, 1e-4, true}}};
  return spec;
}

rt::RevoluteSpec zAxis() {
  rt::RevoluteSpec joint;
  joint.axis_1 = joint.axis_2 = {0, 0, 1};
  return joint;
}

/// A disc in a joint of ground, or of a carrier in a joint of ground, 1 rad/s. (dt/2)(dt/2 + 5 ms) k is 0.14 kg m^2 at
/// 1 ms.
rt::ModelSpec lightDisc(double inertia, double carrier) {
  rt::ModelSpec spec;
  spec.name = "disc";
  spec.gravity = Vector3d::Zero();
  const auto turns = [](rt::BodySpec body, double about_every_axis) {
    body.mass = 0.5;
    body.inertia = about_every_axis * rt::Matrix3d::Identity();
    return body;
  };
  spec.bodies = {turns(makeBody("disc", {0, 0, 0}), inertia)};
  spec.bodies[0].angular_velocity = {0, 0, 1};
  if (carrier > 0) {
    spec.bodies.push_back(turns(makeBody("carrier", {0, 0, 0}), carrier));
    spec.joints.push_back(makeJoint("pin", "ground", "carrier", zAxis()));
  }
  spec.joints.push_back(makeJoint("hub", carrier > 0 ? "carrier" : "ground", "disc", zAxis()));
  spec.forces = {{"dry", "", rt::JointFrictionSpec{"hub", 5, 1e-4}}};
  return spec;
}

}  // namespace

TEST_CASE("a light slider and a light disc stop and stick in two iterations or more", "[rt][mechanics][elements]") {
  // (dt/2)(dt/2 + 5 ms) k is 6.9 kg and 0.14 kg m^2: 14 and 140 times the inertia that the friction holds.
  rt::ModelSpec slider = slope(250);
  slider.bodies[0].mass = 0.5;
  const double weight = 0.5 * kGravity * 0.5;
  for (const int iterations : {2, 3, 8}) {
    CAPTURE(iterations);
    for (const double speed : {0.0, 0.1}) {
      CAPTURE(speed);
      slider.bodies[0].velocity = speed * Vector3d(std::sqrt(0.75), -0.5, 0);
      Simulation run(slider, settingsFor(1e-3, iterations));
      for (int k = 0; k < 1000; ++k) REQUIRE(run.step().status == rt::TickStatus::kOk);
      CHECK(run.state().v(0).norm() < 1e-9);  // round-off of the weight over the damping
      if (speed == 0) CHECK(run.state().r(0).norm() == Approx(1e-4 * weight / 250).epsilon(0.05));
    }

    // On ground, and on a carrier that is heavy enough: the disc stops within a step, and the momentum stays.
    for (const double carrier : {0.0, 100.0}) {
      CAPTURE(carrier);
      Simulation disc(lightDisc(1e-3, carrier), settingsFor(1e-3, iterations));
      for (int k = 0; k < 1000; ++k) disc.step();
      const double shared = carrier > 0 ? 1e-3 / (1e-3 + carrier) : 0;
      CHECK(disc.state().omega(0)[2] ==
            Approx(shared).epsilon(0).margin(1e-3));  // of 1 rad/s: what two iterations leave, 2e-4 on the carrier
    }
  }
}

TEST_CASE("a joint that cannot stick swings with the velocity of its limit and no more", "[rt][mechanics][elements]") {
  for (const double carrier : {1e-5, 1e-3, 1e-1})
    for (const int iterations : {2, 4, 8}) {
      CAPTURE(carrier, iterations);
      Simulation run(lightDisc(1e-3, carrier), settingsFor(1e-3, iterations));
      double fastest = 0;
      for (int k = 0; k < 2000; ++k) {
        run.step();
        fastest = std::max(fastest, std::abs(run.state().omega(0)[2]));
      }
      CHECK(fastest < 10);  // twice what the limit gives to the disc in a step: 5 rad/s
    }
}

TEST_CASE("friction holds without creep below its limit and slides at the limit", "[rt][mechanics][elements]") {
  const double weight = 10 * kGravity * 0.5;
  Simulation held(slope(2.5 * weight), settingsFor(1e-3, 2));
  for (int k = 0; k < 2000; ++k) held.step();
  const double x = held.state().r(0).norm();
  for (int k = 0; k < 60000; ++k) held.step();
  // No creep: a minute changes the displacement by round-off only. The spring of the contact carries the weight.
  CHECK(held.state().r(0).norm() == Approx(x).epsilon(1e-9));
  CHECK(x == Approx(1e-4 / 2.5).epsilon(1e-6));

  Simulation sliding(slope(0.6 * weight), settingsFor(1e-3, 2));
  for (int k = 0; k < 1000; ++k) REQUIRE(sliding.step().status == rt::TickStatus::kOk);
  // The stick phase lasts a few milliseconds of the first second.
  CHECK(sliding.state().v(0).norm() == Approx(0.4 * kGravity * 0.5).epsilon(1e-2));
  const rt::Energy e = rt::energyOf(sliding.model(), sliding.state().view());
  CHECK(e.total == Approx(0).margin(1e-3 * e.dissipated));  // second order of 1 ms
}

TEST_CASE("friction acts on both bodies in opposite directions and dissipates its power", "[rt][mechanics][elements]") {
  rt::ModelSpec spec = flywheel();
  spec.forces = {{"dry", "", rt::JointFrictionSpec{"hub", 3, 0.01}}};
  const rt::Model model = rt::buildModel(spec);
  rt::BodyMotion motions[2];
  motions[1].r = {0.5, 0, 0};
  motions[1].R = rt::rotationMatrix(rt::Vector4d(std::cos(0.1), 0, 0, std::sin(0.1)));
  motions[0].omega_w = {0, 0, 1};
  motions[1].omega_w = {0, 0, 1.5};
  const double displacements[] = {0, 0.19}, internal_states[] = {0.195};
  const rt::ElementContext at{model, motions, {displacements, internal_states, {}, 0}};
  rt::Load loads[2];
  const rt::FrictionState s = rt::JointFrictionElement::evaluate(model.frictions[0], at);
  // Round-off of the difference 0.195 - 0.2.
  CHECK(s.force == Approx(300 * (0.195 - 0.2) - 300 * rt::kStickTime * 0.5).epsilon(1e-9));
  CHECK_FALSE(s.sliding);
  rt::JointFrictionElement::addLoad(model.frictions[0], s, at, loads);
  CHECK((loads[0].torque + loads[1].torque).norm() < 1e-12);  // round-off
  CHECK(loads[0].torque.dot(motions[0].omega_w) + loads[1].torque.dot(motions[1].omega_w) == Approx(-s.dissipated));

  // Along an axis the pair of forces has no moment either.
  rt::ModelSpec sliders = slope(5);
  sliders.bodies.push_back(makeBody("other", {1, 0.2, 0}));
  rt::PrismaticSpec rail;
  rail.axis_1 = rail.axis_2 = {0, 1, 0};
  rail.point_1 = {1, 0, 0};
  rail.point_2 = {0, 0, 0.3};
  sliders.bodies[1].position = {1, 0.2, -0.3};
  sliders.joints.push_back(makeJoint("rail_2", "block", "other", rail));
  sliders.forces = {{"dry", "", rt::JointFrictionSpec{"rail_2", 5, 1e-3, true}}};
  const rt::Model pair = rt::buildModel(sliders);
  motions[0] = rt::BodyMotion{};
  motions[1] = rt::BodyMotion{};
  motions[1].r = {1, 0.2, -0.3};
  motions[1].v = {0, 0.7, 0};
  const double rest[] = {0.2};
  const rt::ElementContext here{pair, motions, {nullptr, rest, {}, 0}};
  rt::Load pair_loads[2];
  const rt::FrictionState slip = rt::JointFrictionElement::evaluate(pair.frictions[0], here);
  rt::JointFrictionElement::addLoad(pair.frictions[0], slip, here, pair_loads);
  CHECK(slip.force == Approx(-5));
  CHECK(slip.sliding);
  CHECK((pair_loads[0].force + pair_loads[1].force).norm() < 1e-12);  // round-off
  const Vector3d moment = pair_loads[0].torque + motions[0].r.cross(pair_loads[0].force) + pair_loads[1].torque +
                          motions[1].r.cross(pair_loads[1].force);
  CHECK(moment.norm() < 1e-12);  // round-off
}

TEST_CASE("a brake follows the sum of its pedals, locks its joint, and releases it", "[rt][mechanics][elements]") {
  rt::ModelSpec spec = flywheel();
  spec.bodies[1].angular_velocity = {0, 0, 10};
  spec.forces = {{"disc", "", rt::BrakeSpec{"hub", 20, 0.01}}};
  spec.actuators = {control("pedal", {"disc"}, rt::ControlQuantity::kBrake, 0),
                    control("hand", {"disc"}, rt::ControlQuantity::kBrake, 0)};
  Simulation run(spec, settingsFor(1e-3, 2));
  const auto relative = [&] { return run.state().omega(1)[2] - run.state().omega(0)[2]; };
  for (int k = 0; k < 100; ++k) run.step();
  CHECK(relative() == Approx(10));
  run.input() = {0.3, 0.2};
  for (int k = 0; k < 100; ++k) run.step();
  // 10 N m on 1 kg m^2 one way and on 5 (+ the wheel's place on the carrier) the other.
  CHECK(relative() == Approx(10 - 0.1 * 10 * (1 + 1 / 5.25)).epsilon(1e-3));
  for (int k = 0; k < 2000; ++k) run.step();
  CHECK(std::abs(relative()) < 1e-3);
  run.input() = {0, 0};
  for (int k = 0; k < 100; ++k) run.step();
  CHECK(std::abs(relative()) < 0.2);  // the spring of the stuck brake lets go; nothing drives
  const rt::Energy e = rt::energyOf(run.model(), run.state().view());
  CHECK(e.total == Approx(50).epsilon(2e-3));
}

TEST_CASE("a released brake does not hold in the first step from rest", "[rt][mechanics][elements]") {
  const auto rateAfterOne = [](bool with_brake) {
    rt::ModelSpec spec = flywheel();
    rt::ActuatorSpec motor;
    motor.name = "motor";
    motor.kind = rt::JointTorqueSpec{"hub"};
    spec.actuators = {motor};
    if (with_brake) {
      spec.forces = {{"disc", "", rt::BrakeSpec{"hub", 3000, 0.01}}};
      spec.actuators.push_back(control("pedal", {"disc"}, rt::ControlQuantity::kBrake, 0));
    }
    Simulation run(spec, settingsFor(1e-3, 2));
    run.input()[0] = 1;
    run.step();
    return run.state().omega(1)[2] - run.state().omega(0)[2];
  };
  CHECK(rateAfterOne(true) == rateAfterOne(false));  // a force of zero in a tangent without it: the same bits
  CHECK(rateAfterOne(true) > 0);
}
