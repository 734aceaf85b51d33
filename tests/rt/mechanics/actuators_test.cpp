// Loads and power of actuators.
// Covers: rt/mechanics/body_action.h
#include "rt/mechanics/actuators.h"
#include "rt/model/model.h"

#include "rt/mechanics/initial_state.h"
#include "tests/rt/mechanics/equipped_tree.h"

#include <catch2/catch.hpp>

using namespace tactus::rt;
using namespace tactus::tests;

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
    CHECK(std::abs(power) > 1e-3);  // far from zero, so that the comparison says something
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
  CHECK(sum.norm() < 1e-14);  // round-off
  CHECK(loads[static_cast<std::size_t>(joint.body_2)].torque.norm() == Approx(3));
}
