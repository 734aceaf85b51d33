// Powertrains: torque of the tables, reaction on the carrier, energy.
#include "rt/mechanics/elements/powertrain.h"
#include "rt/model/model.h"

#include "rt/mechanics/energy.h"
#include "tests/rt/mechanics/elements/flywheel.h"
#include "tests/support/simulation.h"

#include <catch2/catch.hpp>

using namespace tactus;
using namespace tactus::tests;

TEST_CASE("a powertrain gives the torque of its tables through its ratio, with the reaction on the carrier",
          "[rt][mechanics][elements]") {
  rt::ModelSpec spec = flywheel();
  rt::PowertrainSpec engine;
  engine.carrier = "carrier";
  engine.joints = {"hub"};
  engine.speeds = {0, 100, 200};
  engine.full_torque = {10, 30, 0};
  engine.zero_torque = {0, -2, -6};
  engine.final_ratio = 4;
  engine.efficiency = 0.9;
  spec.forces = {{"engine", "", engine}};
  spec.actuators = {control("gas", {"engine"}, rt::ControlQuantity::kThrottle, 0),
                    control("gear", {"engine"}, rt::ControlQuantity::kRatio, 0)};
  const rt::Model model = rt::buildModel(spec);
  rt::BodyMotion motions[2];
  motions[0].omega_w = {0, 0, -2};
  motions[1].omega_w = {0, 0, 18};
  const auto at = [&](double gas, double gear) {
    const double input[] = {gas, gear};
    return rt::PowertrainElement::evaluate(model.powertrains[0], {model, motions, {nullptr, nullptr, input, 0}});
  };
  CHECK(at(1, 1).speed == Approx(80));
  CHECK(at(1, 1).torque == Approx(26));
  CHECK(at(1, 1).wheel_torque == Approx(26 * 4 * 0.9));
  CHECK(at(0, 1.5).torque == Approx(-2.8));
  CHECK(at(0, 1.5).wheel_torque == Approx(-2.8 * 6));
  CHECK(at(0.5, 1).torque == Approx(0.5 * 26 - 0.5 * 1.6));
  CHECK(at(7, 1).torque == Approx(26));  // beyond full throttle there is no more
  CHECK(at(1, 0).wheel_torque == 0);
  CHECK(at(1, -1).speed == Approx(-80));
  CHECK(at(1, -1).wheel_torque == Approx(-10 * 4 * 0.9));
  CHECK(at(1, 100).torque == Approx(0));
  rt::Load loads[2];
  rt::PowertrainElement::addLoad(model.powertrains[0], at(1, 1), {model, motions, {nullptr, nullptr, {}, 0}}, loads);
  CHECK(loads[1].torque[2] == Approx(93.6));
  CHECK((loads[0].torque + loads[1].torque).norm() < 1e-12);
  CHECK(loads[0].torque.dot(motions[0].omega_w) + loads[1].torque.dot(motions[1].omega_w) == Approx(at(1, 1).power));

  Simulation run(spec, settingsFor(1e-3, 2));
  run.input() = {1, 1};
  for (int k = 0; k < 1000; ++k) run.step();
  const rt::Energy e = rt::energyOf(run.model(), run.state().view());
  CHECK(e.input > 10);
  CHECK(e.total == Approx(0).margin(1e-3 * e.input));  // second order of 1 ms
}

namespace {

/// A driven wheel, or several, of 1 kg m^2 each about z on ground, with a limiter: 200 N m fall to -100 N m within
/// `width` above 600 rad/s.
rt::ModelSpec limited(int wheels, double width, double wheel_inertia, bool carried) {
  rt::ModelSpec spec;
  spec.name = "limited";
  spec.gravity = rt::Vector3d::Zero();
  rt::PowertrainSpec engine;
  engine.carrier = "ground";
  rt::RevoluteSpec axle;
  axle.axis_1 = axle.axis_2 = {0, 0, 1};
  if (carried) {
    engine.carrier = "carrier";
    spec.bodies.push_back(makeBody("carrier", {0, 0, 0}));
    spec.bodies.back().inertia = 5 * rt::Matrix3d::Identity();
    spec.joints.push_back(makeJoint("base", "ground", "carrier", axle));
  }
  for (int k = 0; k < wheels; ++k) {
    const std::string name = numbered("wheel_", static_cast<std::size_t>(k + 1));
    spec.bodies.push_back(makeBody(name, {0, 0, 0}));
    spec.bodies.back().inertia = wheel_inertia * rt::Matrix3d::Identity();
    engine.joints.push_back(numbered("hub_", static_cast<std::size_t>(k + 1)));
    spec.joints.push_back(makeJoint(engine.joints.back(), engine.carrier, name, axle));
  }
  engine.speeds = {0, 600, 600 + width};
  engine.full_torque = {200, 200, -100};
  engine.zero_torque = {-10, -40, -100};
  engine.final_ratio = 14;
  spec.forces = {{"engine", "", engine}};
  spec.actuators = {control("gas", {"engine"}, rt::ControlQuantity::kThrottle, 1),
                    control("gear", {"engine"}, rt::ControlQuantity::kRatio, 1)};
  return spec;
}

}  // namespace

TEST_CASE("an engine comes to rest in the steep part of its table, whatever it turns", "[rt][mechanics][elements]") {
  // 300 N m within 20 rad/s, by a ratio of 14: in a step of 1 ms half the change of the torque is 1.5 times the inertia
  // of all wheels and the rate, and an iteration without its slope goes further each time.
  for (const bool carried : {false, true})
    for (const int wheels : {1, 2, 4}) {
      CAPTURE(carried, wheels);
      const Recording run = record(limited(wheels, 20, 1.0 / wheels, carried), settingsFor(1e-3, 2), 2, {"*"});
      REQUIRE(run.ok);
      const std::vector<double>& speed = run["engine.speed"];
      // No torque at two thirds of the fall; two iterations leave 2.4e-5 with a carrier of five times the inertia.
      for (std::size_t k = speed.size() - 100; k < speed.size(); ++k)
        REQUIRE(speed[k] == Approx(600 + 20 * 2.0 / 3).epsilon(1e-4));
    }
}
