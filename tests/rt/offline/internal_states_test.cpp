// Tyres with slip, friction, brakes and powertrains in every offline method: their internal states are integrated with
// the motion.
// Covers: rt/offline/core/internal_state_rule.cpp
// Covers: rt/mechanics/force_elements.cpp
#include "rt/error.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/offline/integrator.h"
#include "tests/rt/offline/method_run.h"
#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <map>

using namespace tactus;
using namespace tactus::tests;
using namespace tactus::rt::offline;
using Catch::Matchers::Contains;
using rt::Vector3d;

namespace {

using Settings = std::vector<std::string>;

const rt::Model& rig() {
  static const rt::Model model = rt::buildModel(rollingRig());
  return model;
}

/// As declared, but for the brake, which comes between 0.05 and 0.1 s.
InputSignal braked(const rt::Model& model, double pedal) {
  return [&model, pedal, declared = declaredInput(model)](double t, std::span<double> values) {
    declared(t, values);
    for (std::size_t k = 0; k < values.size(); ++k)
      if (model.actuator_names[k] == "pedal") values[k] = pedal * std::clamp((t - 0.05) / 0.05, 0.0, 1.0);
  };
}

const Settings kTight = {"rule=dormand-prince", "adaptive=true", "rtol=1e-11", "atol=1e-11"};

/// A flywheel of 1 kg m^2 at 2 rad/s that dry friction of 10 N m stops after 0.2 s and 0.2 rad.
rt::ModelSpec flywheel() {
  rt::ModelSpec spec;
  spec.name = "flywheel";
  spec.gravity = Vector3d::Zero();
  rt::BodySpec wheel = makeBody("wheel", {0, 0, 0});
  wheel.inertia = rt::Matrix3d::Identity();
  wheel.angular_velocity = {0, 0, 2};
  spec.bodies = {wheel};
  rt::RevoluteSpec hub;
  hub.axis_1 = hub.axis_2 = {0, 0, 1};
  spec.joints = {makeJoint("hub", "ground", "wheel", hub)};
  spec.forces = {{"dry", "", rt::JointFrictionSpec{"hub", 10, 1e-4}}};
  return spec;
}

}  // namespace

TEST_CASE("every method integrates tyres with slip, friction and a powertrain with its order",
          "[rt][offline][forces]") {
  // Before the brake and the first bump, so that every law is smooth.
  constexpr double kUntil = 0.05;
  const InputSignal input = declaredInput(rig());
  const Trajectory reference = runOn(rig(), input, "mcs-qr", 0.005, kUntil, kTight);
  const std::map<std::string, double> orders = {{"mcs-qr", 4}, {"mcs-svd", 4}, {"mcs-eigen", 4},
                                                {"rn4", 4},    {"adams", 4},   {"projected", 5}};
  for (const Method& method : methods()) {
    INFO(method.name);
    if (method.name == "ali3p-literal") {
      CHECK_THROWS_WITH(runOn(rig(), input, method.name, 1e-3, kUntil), Contains("ali3p-literal"));
      continue;
    }
    if (method.family == "SUNDIALS") {
      const Trajectory t = runOn(rig(), input, method.name, 0.005, kUntil, {"rtol=1e-10", "atol=1e-10"});
      CHECK(distance(rig(), t, reference) < 1e-8);  // a hundred times the tolerance: multistep solvers miss theirs
      continue;
    }
    const auto known = orders.find(method.name);
    const double order = known == orders.end() ? 2 : known->second;
    const Settings fixed =
        method.family == "Rosenbrock-Nystrom" || method.name == "projected" ? Settings{"adaptive=false"} : Settings{};
    double errors[2];
    for (const int k : {0, 1})
      errors[k] = distance(rig(), runOn(rig(), input, method.name, 1e-3 / (k + 1), kUntil, fixed), reference);
    CAPTURE(errors[0], errors[1]);
    // Higher where the leading error happens to be small; round-off ends it at 1e-11 m.
    CHECK((std::log2(errors[0] / errors[1]) > order - 0.4 || errors[1] < 1e-11));
    CHECK(errors[1] < 5e-6);
  }
}

TEST_CASE("over bumps and under full braking, methods agree with the tick at a small step", "[rt][offline][forces]") {
  constexpr double kUntil = 0.35;
  const InputSignal input = braked(rig(), 1);
  const Trajectory tick = runOn(rig(), input, "ali3p", 5e-5, kUntil);
  for (const auto& [method, settings] : std::map<std::string, Settings>{
           {"rn4", {"rtol=1e-6", "atol=1e-6"}}, {"mcs-qr", {"rule=dormand-prince", "adaptive=true"}}, {"lms2", {}}}) {
    INFO(method);
    // What the limits of tread and friction hold the tick to, the others come back to within a millisecond.
    CHECK(distance(rig(), runOn(rig(), input, method, 5e-4, kUntil, settings), tick) < 2e-4);
  }
}

TEST_CASE("dry friction stops a wheel after the angle of the closed form and holds it", "[rt][offline][forces]") {
  const rt::Model model = rt::buildModel(flywheel());
  for (const char* method : {"ali3p", "newmark-tangent", "lms2", "esdirk43-6l", "mcs-qr", "rn4", "ros2-w"}) {
    INFO(method);
    const Trajectory t = runOn(model, {}, method, 2e-4, 0.5);
    const rt::StateView end(rt::StateLayout(model), t.samples.back().state.data());
    CHECK(std::abs(end.omega(0)[2]) < 1e-6);  // rad/s: at rest, of 2 rad/s
    // 2 sin^-1 of the last Euler parameter: 0.2 rad and what the spring gives in, at most 1e-4 rad.
    CHECK(2 * std::asin(end.p(0)[3]) == Approx(0.2).margin(2e-4));
    CHECK(end.workDissipated() == Approx(2).epsilon(2e-3));
  }
}
