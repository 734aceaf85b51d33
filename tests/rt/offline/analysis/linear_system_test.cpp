// Linear systems against differences of the equations of motion, on moving mechanisms with every kind of element.
// Covers: rt/offline/analysis/independent_coordinates.cpp
#include "rt/offline/analysis/linear_system.h"
#include "rt/error.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/state/actuator_input.h"
#include "tests/rt/offline/analysis/rate_oracle.h"
#include "tests/rt/offline/method_run.h"
#include "tests/rt/offline/sprung_mechanism.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

using namespace tactus;
using namespace tactus::tests;
using rt::Vector3d;
using rt::offline::linearSystem;
using rt::offline::LinearSystem;

namespace {

std::vector<std::string> namesOf(const LinearSystem& system) {
  std::vector<std::string> names;
  for (const auto& state : system.states) names.push_back(state.name);
  return names;
}

/// A link on a hinge whose angle, rate and acceleration are inputs, with a second link that swings on it.
rt::ModelSpec drivenPendulum() {
  rt::ModelSpec spec;
  spec.name = "driven_pendulum";
  spec.gravity = Vector3d(0, -9.81, 0);
  spec.bodies = {makeBody("arm", {0.5, 0, 0}), makeBody("bob", {1, -0.5, 0})};
  spec.bodies[0].velocity = {0, 0.35, 0};
  spec.bodies[0].angular_velocity = {0, 0, 0.7};
  spec.bodies[1].velocity = {0, 0.7, 0};
  const Vector3d z = Vector3d::UnitZ();
  spec.joints = {makeJoint("motor", "ground", "arm", rt::RevoluteSpec{{0, 0, 0}, {-0.5, 0, 0}, z, z, 0}),
                 makeJoint("pin", "arm", "bob", rt::RevoluteSpec{{0.5, 0, 0}, {0, 0.5, 0}, z, z, 0})};
  rt::DriveSpec drive;
  drive.name = "servo";
  drive.target = rt::DrivenAngleSpec{"motor"};
  drive.function = rt::InputFunctionSpec{};
  spec.drives = {drive};
  const rt::DriveQuantity quantities[] = {rt::DriveQuantity::kValue, rt::DriveQuantity::kRate,
                                          rt::DriveQuantity::kAcceleration};
  for (const char* name : {"angle", "rate", "acceleration"}) {
    rt::ActuatorSpec input;
    input.name = name;
    input.initial = name[0] == 'r' ? 0.7 : 0.0;
    input.kind = rt::DriveInputSpec{"servo", quantities[spec.actuators.size()]};
    spec.actuators.push_back(input);
  }
  return spec;
}

}  // namespace

TEST_CASE("the linear system is the derivative of the equations of motion", "[rt][offline][analysis]") {
  for (const rt::ModelSpec& spec : {doublePendulum(), freeBody(3), randomLoop(5, 2, 731), randomLoop(4, 3, 99),
                                    ladder(2), sprungMechanism(), sprungMechanism(true), drivenPendulum()}) {
    const rt::Model model = rt::buildModel(spec);
    const rt::ActuatorInput input(model);
    checkLinearSystem(model, rt::initialState(model).state, input.values);
  }
}

TEST_CASE("the linear system has the internal states of tyres and friction", "[rt][offline][analysis]") {
  const rt::Model model = rt::buildModel(rollingRig());
  rt::State state(model);
  const rt::offline::InputSignal declared = rt::offline::declaredInput(model);
  // After a while, so that nothing is zero.
  state.values() = runOn(model, declared, "mcs-qr", 5e-4, 0.1).samples.back().state;
  const rt::ActuatorInput input(model);
  const LinearSystem system = linearSystem(model, state, input.values);
  CHECK(system.states.size() == static_cast<std::size_t>(2 * system.coordinates) + 4);
  // Steps of 1e-5 stay off the kinks of tyre and road; they leave 1e-5 of round-off.
  checkLinearSystem(model, state, input.values, 0.1, 1e-5, 1e-4);
}

TEST_CASE("joint displacements come first among the states, bodies describe what they leave",
          "[rt][offline][analysis]") {
  const auto systemOf = [](const rt::ModelSpec& spec) {
    const rt::Model model = rt::buildModel(spec);
    return linearSystem(model, rt::initialState(model).state, rt::ActuatorInput(model).values);
  };
  const LinearSystem loop = systemOf(fourBar(FourBarReading::kDown));
  CHECK(namesOf(loop) == std::vector<std::string>{"joint_1.angle", "joint_1.rate"});
  CHECK(loop.redundant_rows == 3);
  CHECK(loop.states[1].unit == "rad/s");
  CHECK(namesOf(systemOf(drivenPendulum())) == std::vector<std::string>{"pin.angle", "pin.rate"});
  const std::vector<std::string> body = namesOf(systemOf(freeBody(1)));
  CHECK(body.front() == "brick.r.x");
  CHECK(body[5] == "brick.phi.z");
  CHECK(body[11] == "brick.omega_w.z");
}

TEST_CASE("a singular pose is refused", "[rt][offline][analysis]") {
  // The parallelogram stretched on one line: three rods along x.
  rt::ModelSpec spec = fourBar(FourBarReading::kDown);
  const Vector3d z = Vector3d::UnitZ();
  spec.bodies = {makeBody("A", {0.5, 0, 0}), makeBody("B", {1.5, 0, 0}), makeBody("C", {1.5, 0, 0})};
  spec.joints = {makeJoint("joint_1", "ground", "A", rt::RevoluteSpec{{0, 0, 0}, {-0.5, 0, 0}, z, z, 0}),
                 makeJoint("joint_2", "A", "B", rt::RevoluteSpec{{0.5, 0, 0}, {-0.5, 0, 0}, z, z, 0}),
                 makeJoint("joint_3", "B", "C", rt::RevoluteSpec{{0.5, 0, 0}, {0.5, 0, 0}, z, z, 0}),
                 makeJoint("joint_4", "C", "ground", rt::RevoluteSpec{{-0.5, 0, 0}, {1, 0, 0}, z, z, 0})};
  const rt::Model model = rt::buildModel(spec);
  const rt::State state = rt::initialState(model).state;
  CHECK_THROWS_WITH(linearSystem(model, state, {}), Catch::Contains("the pose is singular or beside a singular one"));
}
