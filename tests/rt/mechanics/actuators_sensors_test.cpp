// Covers: rt/mechanics/actuators.cpp, rt/mechanics/sensors.cpp, rt/mechanics/body_action.h
#include "rt/mechanics/actuators.h"
#include "rt/mechanics/initial_state.h"
#include "rt/mechanics/sensors.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

using namespace tactus::rt;
using namespace tactus::tests;

namespace {

/// A tree in general motion whose first hinge carries a motor, with force and torque on its last body in both frames.
ModelSpec equipped() {
  ModelSpec spec = randomTree(6, JointMix::kHinged, 31);
  std::string hinge;
  for (const JointSpec& j : spec.joints)
    if (std::holds_alternative<RevoluteSpec>(j.kind)) hinge = j.name;
  REQUIRE_FALSE(hinge.empty());
  const std::string body = spec.bodies.back().name;
  const auto actuator = [&](const char* name, decltype(ActuatorSpec::kind) kind) {
    ActuatorSpec a;
    a.name = name;
    a.kind = std::move(kind);
    spec.actuators.push_back(a);
  };
  actuator("motor", JointTorqueSpec{hinge});
  actuator("force_w", BodyForceSpec{body, Vector3d(0.1, 0.2, 0.3), Vector3d(1, 2, 3), Frame::kWorld});
  actuator("force_b", BodyForceSpec{body, Vector3d(-0.3, 0, 0.1), Vector3d(0, 1, 1), Frame::kBody});
  actuator("torque_b", BodyTorqueSpec{body, Vector3d(1, 0, 1), Frame::kBody});
  const auto sensor = [&](const char* name, decltype(SensorSpec::kind) kind) {
    SensorSpec s;
    s.name = name;
    s.kind = std::move(kind);
    spec.sensors.push_back(s);
  };
  const Vector3d point(0.1, 0.2, 0.3), axis(1, 2, 3);
  sensor("angle", JointAngleSpec{hinge});
  sensor("rate", JointRateSpec{hinge});
  sensor("position", PointMotionSpec{PointQuantity::kPosition, body, point, axis, Frame::kWorld});
  sensor("velocity", PointMotionSpec{PointQuantity::kVelocity, body, point, axis, Frame::kWorld});
  sensor("acceleration", PointMotionSpec{PointQuantity::kAcceleration, body, point, axis, Frame::kWorld});
  sensor("gyro", AngularVelocitySpec{body, Vector3d::UnitY(), Frame::kBody});
  return spec;
}

std::vector<BodyMotion> motionsOf(const State& state) {
  std::vector<BodyMotion> motions;
  for (int i = 0; i < state.layout().bodies; ++i) motions.push_back(bodyMotion(state.view(), i));
  return motions;
}

}  // namespace

TEST_CASE("power of the actuators is the power of their loads", "[rt][mechanics]") {
  const Model model = buildModel(equipped());
  const std::vector<BodyMotion> motions = motionsOf(initialState(model).state);
  for (std::size_t a = 0; a < model.actuators.size(); ++a) {
    std::vector<double> input(model.actuators.size(), 0.0);
    input[a] = 2.5;
    std::vector<Load> loads(model.bodies.size());
    addActuatorLoads(model, input, motions.data(), loads.data());
    double power = 0;
    for (std::size_t i = 0; i < loads.size(); ++i)
      power += loads[i].force.dot(motions[i].v) + loads[i].torque.dot(motions[i].omega_w);
    INFO(model.actuator_names[a]);
    CHECK(std::abs(power) > 1e-3);
    CHECK(actuatorPower(model, input, motions.data()) == Approx(power));
  }
}

TEST_CASE("a joint torque acts on both bodies and sums to nothing", "[rt][mechanics]") {
  const Model model = buildModel(equipped());
  const std::vector<BodyMotion> motions = motionsOf(initialState(model).state);
  std::vector<Load> loads(model.bodies.size());
  std::vector<double> input(model.actuators.size(), 0.0);
  input[0] = 3;
  addActuatorLoads(model, input, motions.data(), loads.data());
  Vector3d sum = Vector3d::Zero();
  for (const Load& load : loads) sum += load.torque;
  const Joint& joint = model.joints[static_cast<std::size_t>(model.actuators[0].target)];
  REQUIRE(joint.body_1 != kGround);
  CHECK(sum.norm() < 1e-14);
  CHECK(loads[static_cast<std::size_t>(joint.body_2)].torque.norm() == Approx(3));
}

TEST_CASE("sensors of velocity and acceleration are the rates of those below them", "[rt][mechanics]") {
  const Model model = buildModel(equipped());
  const State state = initialState(model).state;
  const auto values = [&](double t) {
    // Constant accelerations from the initial state: a Taylor series of each body's motion.
    State moved = state;
    for (int i = 0; i < model.bodyCount(); ++i) {
      moved.r(i) += t * state.view().v(i) + 0.5 * t * t * state.view().a(i);
      moved.v(i) += t * state.view().a(i);
      const Vector4d p = state.view().p(i);
      moved.p(i) = (p + t * rateOf(p, state.view().omega(i)) +
                    0.5 * t * t * secondRateOf(p, state.view().omega(i), state.view().alpha(i)))
                       .normalized();
      moved.omega(i) += t * state.view().alpha(i);
    }
    const std::vector<BodyMotion> motions = motionsOf(moved);
    for (const Joint& j : model.joints)
      if (j.displacement >= 0)
        moved.jointDisplacements()[j.displacement] =
            unwrapAngle(jointAngle(j, motions.data()), state.view().jointDisplacements()[j.displacement]);
    std::vector<double> v;
    for (const Sensor& s : model.sensors) v.push_back(sensorValue(model, s, moved.view(), motions.data()));
    return v;
  };
  const double h = 1e-5;
  const std::vector<double> before = values(-h), now = values(0), after = values(h);
  CHECK(now[1] == Approx((after[0] - before[0]) / (2 * h)).epsilon(1e-6));  // rate of the angle
  CHECK(now[3] == Approx((after[2] - before[2]) / (2 * h)).epsilon(1e-6));  // velocity of the position
  CHECK(now[4] == Approx((after[3] - before[3]) / (2 * h)).epsilon(1e-5));  // acceleration of the velocity
  CHECK(now[5] == Approx(double(state.view().omega(model.bodyCount() - 1)[1])));
}
