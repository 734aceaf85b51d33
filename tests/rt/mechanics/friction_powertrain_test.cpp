// Dry friction, brakes and powertrains: what they put on the bodies, and what they do in motion.
// Covers: rt/mechanics/joint_friction.cpp, rt/mechanics/powertrain.cpp, rt/model/check_vehicle.cpp
// Covers: rt/model/vehicle_builder.cpp
#include "rt/error.h"
#include "rt/mechanics/element_loads.h"
#include "rt/mechanics/energy.h"
#include "tests/support/mechanisms.h"
#include "tests/support/simulation.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <functional>

using namespace tactus;
using namespace tactus::tests;
using rt::Vector3d;

namespace {

/// A flywheel of 1 kg m^2 on a carrier of 5 kg m^2, which turns about the same axis, along z, on ground.
rt::ModelSpec flywheel() {
  rt::ModelSpec spec;
  spec.name = "flywheel";
  spec.gravity = Vector3d::Zero();
  rt::BodySpec carrier = makeBody("carrier", {0, 0, 0}), wheel = makeBody("wheel", {0.5, 0, 0});
  carrier.inertia = 5 * rt::Matrix3d::Identity();
  spec.bodies = {carrier, wheel};
  rt::RevoluteSpec base, hub;
  base.axis_1 = base.axis_2 = hub.axis_1 = hub.axis_2 = {0, 0, 1};
  hub.point_1 = {0.5, 0, 0};
  spec.joints = {makeJoint("base", "ground", "carrier", base), makeJoint("hub", "carrier", "wheel", hub)};
  return spec;
}

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

rt::ActuatorSpec control(const std::string& name, const std::vector<std::string>& elements,
                         rt::ControlQuantity quantity, double initial) {
  rt::ActuatorSpec a;
  a.name = name;
  a.initial = initial;
  if (quantity == rt::ControlQuantity::kBrake) a.minimum = 0;
  a.kind = rt::ControlSpec{elements, quantity};
  return a;
}

}  // namespace

TEST_CASE("friction holds below its limit, without creep, and slides at it above", "[rt][mechanics][friction]") {
  const double weight = 10 * kGravity * 0.5;
  Simulation held(slope(2.5 * weight), settingsFor(1e-3, 2));
  for (int k = 0; k < 2000; ++k) held.step();
  const double x = held.state().r(0).norm();
  for (int k = 0; k < 60000; ++k) held.step();
  CHECK(held.state().r(0).norm() == Approx(x).epsilon(1e-9));
  CHECK(x == Approx(1e-4 / 2.5).epsilon(1e-6));

  Simulation sliding(slope(0.6 * weight), settingsFor(1e-3, 2));
  for (int k = 0; k < 1000; ++k) REQUIRE(sliding.step().status == rt::TickStatus::kOk);
  CHECK(sliding.state().v(0).norm() == Approx(0.4 * kGravity * 0.5).epsilon(1e-2));
  const rt::Energy e = rt::energyOf(sliding.model(), sliding.state().view());
  CHECK(e.total == Approx(0).margin(1e-3 * e.dissipated));
}

TEST_CASE("friction and its opposite act on both bodies; its power is what it dissipates",
          "[rt][mechanics][friction]") {
  rt::ModelSpec spec = flywheel();
  spec.forces = {{"dry", "", rt::JointFrictionSpec{"hub", 3, 0.01}}};
  const rt::Model model = rt::buildModel(spec);
  rt::BodyMotion motions[2];
  motions[1].r = {0.5, 0, 0};
  motions[1].R = rt::rotationMatrix(rt::Vector4d(std::cos(0.1), 0, 0, std::sin(0.1)));
  motions[0].omega_w = {0, 0, 1};
  motions[1].omega_w = {0, 0, 1.5};
  const double coordinates[] = {0, 0.19}, internal_states[] = {0.195};
  rt::Load loads[2];
  const rt::FrictionState s =
      rt::evaluateFriction(model, model.frictions[0], motions, coordinates, internal_states, {});
  CHECK(s.force == Approx(300 * (0.195 - 0.2) - 300 * rt::kStickTime * 0.5).epsilon(1e-9));
  CHECK_FALSE(s.sliding);
  rt::addFrictionLoad(model, model.frictions[0], s, motions, loads);
  CHECK((loads[0].torque + loads[1].torque).norm() < 1e-12);
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
  const double at[] = {0.2};
  rt::Load pair_loads[2];
  const rt::FrictionState slip = rt::evaluateFriction(pair, pair.frictions[0], motions, nullptr, at, {});
  rt::addFrictionLoad(pair, pair.frictions[0], slip, motions, pair_loads);
  CHECK(slip.force == Approx(-5));
  CHECK(slip.sliding);
  CHECK((pair_loads[0].force + pair_loads[1].force).norm() < 1e-12);
  const Vector3d moment = pair_loads[0].torque + motions[0].r.cross(pair_loads[0].force) + pair_loads[1].torque +
                          motions[1].r.cross(pair_loads[1].force);
  CHECK(moment.norm() < 1e-12);
}

TEST_CASE("a brake takes hold with its pedals, locks, and lets go", "[rt][mechanics][friction]") {
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

TEST_CASE("a powertrain gives the torque of its tables through its ratio, with the reaction on the carrier",
          "[rt][mechanics][powertrain]") {
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
    return rt::evaluatePowertrain(model, model.powertrains[0], motions, input);
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
  rt::addPowertrainLoad(model, model.powertrains[0], at(1, 1), motions, loads);
  CHECK(loads[1].torque[2] == Approx(93.6));
  CHECK((loads[0].torque + loads[1].torque).norm() < 1e-12);
  CHECK(loads[0].torque.dot(motions[0].omega_w) + loads[1].torque.dot(motions[1].omega_w) == Approx(at(1, 1).power));

  Simulation run(spec, settingsFor(1e-3, 2));
  run.input() = {1, 1};
  for (int k = 0; k < 1000; ++k) run.step();
  const rt::Energy e = rt::energyOf(run.model(), run.state().view());
  CHECK(e.input > 10);
  CHECK(e.total == Approx(0).margin(1e-3 * e.input));
}

TEST_CASE("bad values of tyres, friction, brakes, powertrains, controls and surfaces", "[rt][model]") {
  rt::ModelSpec good = flywheel();
  good.roads = {{"road", "", Vector3d::Zero(), {0, 0, 1}, {1, 0, 0}, {}, 1, {}, {}}};
  rt::SlipTyreSpec tyre;
  tyre.road = "road";
  tyre.body = "wheel";
  tyre.axis = {0, 1, 0};
  tyre.radius = 0.3;
  tyre.stiffness = 2e5;
  tyre.nominal_load = 4000;
  tyre.longitudinal_relaxation = tyre.lateral_relaxation = 0.3;
  tyre.grip = rt::BrushTyreSpec{8e4, 6e4, 0.9, 1, 0.06};
  rt::SlipTyreSpec magic = tyre;
  magic.grip = rt::MagicFormulaTyreSpec{
      {{"PCX1", 1.6}, {"PDX1", 1}, {"PKX1", 20}, {"PCY1", 1.3}, {"PDY1", 1}, {"PKY1", -16}, {"PKY2", 1.8}}};
  rt::PowertrainSpec engine;
  engine.carrier = "carrier";
  engine.joints = {"hub"};
  engine.speeds = {0, 100};
  engine.full_torque = engine.zero_torque = {1, 1};
  good.forces = {{"tyre", "", tyre},
                 {"magic", "", magic},
                 {"dry", "", rt::JointFrictionSpec{"hub", 3, 0.01}},
                 {"disc", "", rt::BrakeSpec{"hub", 20, 0.01}},
                 {"engine", "", engine}};
  good.actuators = {control("pedal", {"disc"}, rt::ControlQuantity::kBrake, 0),
                    control("gas", {"engine"}, rt::ControlQuantity::kThrottle, 0)};
  REQUIRE_NOTHROW(rt::buildModel(good));

  const double nan = std::nan("");
  const auto tyreOf = [](rt::ModelSpec& s) -> rt::SlipTyreSpec& {
    return std::get<rt::SlipTyreSpec>(s.forces[0].kind);
  };
  const auto magicOf = [](rt::ModelSpec& s) -> std::map<std::string, double>& {
    return std::get<rt::MagicFormulaTyreSpec>(std::get<rt::SlipTyreSpec>(s.forces[1].kind).grip).coefficients;
  };
  const auto engineOf = [](rt::ModelSpec& s) -> rt::PowertrainSpec& {
    return std::get<rt::PowertrainSpec>(s.forces[4].kind);
  };
  const auto brushOf = [&](rt::ModelSpec& s) -> rt::BrushTyreSpec& {
    return std::get<rt::BrushTyreSpec>(tyreOf(s).grip);
  };
  struct Bad {
    const char* path;
    std::function<void(rt::ModelSpec&)> change;
  };
  const Bad table[] = {
      {"forces[0].slip_tyre.road", [&](auto& s) { tyreOf(s).road = "raod"; }},
      {"forces[0].slip_tyre.body", [&](auto& s) { tyreOf(s).body = "ground"; }},
      {"forces[0].slip_tyre.centre", [&](auto& s) { tyreOf(s).centre[1] = nan; }},
      {"forces[0].slip_tyre.axis", [&](auto& s) { tyreOf(s).axis.setZero(); }},
      {"forces[0].slip_tyre.radius", [&](auto& s) { tyreOf(s).radius = 0; }},
      {"forces[0].slip_tyre.rolling_radius", [&](auto& s) { tyreOf(s).rolling_radius = 0.4; }},
      {"forces[0].slip_tyre.stiffness", [&](auto& s) { tyreOf(s).stiffness = -1; }},
      {"forces[0].slip_tyre.damping", [&](auto& s) { tyreOf(s).damping = nan; }},
      {"forces[0].slip_tyre.nominal_load", [&](auto& s) { tyreOf(s).nominal_load = 0; }},
      {"forces[0].slip_tyre.longitudinal_relaxation", [&](auto& s) { tyreOf(s).longitudinal_relaxation = 0; }},
      {"forces[0].slip_tyre.lateral_relaxation", [&](auto& s) { tyreOf(s).lateral_relaxation = -1; }},
      {"forces[0].slip_tyre.rolling_resistance", [&](auto& s) { tyreOf(s).rolling_resistance = 2; }},
      {"forces[0].slip_tyre.standstill_damping", [&](auto& s) { tyreOf(s).standstill_damping = -1; }},
      {"forces[0].slip_tyre.brush.longitudinal_stiffness", [&](auto& s) { brushOf(s).longitudinal_stiffness = 0; }},
      {"forces[0].slip_tyre.brush.cornering_stiffness", [&](auto& s) { brushOf(s).cornering_stiffness = nan; }},
      {"forces[0].slip_tyre.brush.friction", [&](auto& s) { brushOf(s).friction = 0; }},
      {"forces[0].slip_tyre.brush.load_exponent", [&](auto& s) { brushOf(s).load_exponent = 3; }},
      {"forces[0].slip_tyre.brush.contact_half_length", [&](auto& s) { brushOf(s).contact_half_length = -1; }},
      {"forces[1].slip_tyre.magic_formula.coefficients[\"PCX1\"]", [&](auto& s) { magicOf(s).erase("PCX1"); }},
      {"forces[1].slip_tyre.magic_formula.coefficients[\"PKY1\"]", [&](auto& s) { magicOf(s)["PKY1"] = 16; }},
      {"forces[1].slip_tyre.magic_formula.coefficients[\"PDX9\"]", [&](auto& s) { magicOf(s)["PDX9"] = 1; }},
      {"forces[1].slip_tyre.magic_formula.coefficients[\"QBZ1\"]", [&](auto& s) { magicOf(s)["QBZ1"] = nan; }},
      {"forces[2].joint_friction.joint",
       [&](auto& s) {
         s.forces[2].kind = rt::JointFrictionSpec{"hbu", 3, 1};
       }},
      {"forces[2].joint_friction.joint",
       [&](auto& s) {
         s.forces[2].kind = rt::JointFrictionSpec{"hub", 3, 1, true};
       }},
      {"forces[2].joint_friction.limit",
       [&](auto& s) {
         s.forces[2].kind = rt::JointFrictionSpec{"hub", 0, 1};
       }},
      {"forces[2].joint_friction.elastic",
       [&](auto& s) {
         s.forces[2].kind = rt::JointFrictionSpec{"hub", 1, nan};
       }},
      {"forces[3].brake.joint",
       [&](auto& s) {
         s.forces[3].kind = rt::BrakeSpec{"", 1, 1};
       }},
      {"forces[3].brake.torque",
       [&](auto& s) {
         s.forces[3].kind = rt::BrakeSpec{"hub", -1, 1};
       }},
      {"forces[3].brake.elastic",
       [&](auto& s) {
         s.forces[3].kind = rt::BrakeSpec{"hub", 1, 0};
       }},
      {"forces[4].powertrain.carrier", [&](auto& s) { engineOf(s).carrier = "carier"; }},
      {"forces[4].powertrain.joints", [&](auto& s) { engineOf(s).joints.clear(); }},
      {"forces[4].powertrain.joints[0]", [&](auto& s) { engineOf(s).joints = {"hob"}; }},
      {"forces[4].powertrain.speeds",
       [&](auto& s) { engineOf(s).speeds = engineOf(s).full_torque = engineOf(s).zero_torque = {1}; }},
      {"forces[4].powertrain.speeds[1]",
       [&](auto& s) {
         engineOf(s).speeds = {1, 1};
       }},
      {"forces[4].powertrain.full_torque", [&](auto& s) { engineOf(s).full_torque = {1}; }},
      {"forces[4].powertrain.zero_torque[1]",
       [&](auto& s) {
         engineOf(s).zero_torque = {1, nan};
       }},
      {"forces[4].powertrain.final_ratio", [&](auto& s) { engineOf(s).final_ratio = 0; }},
      {"forces[4].powertrain.efficiency", [&](auto& s) { engineOf(s).efficiency = 1.5; }},
      {"actuators[0].control.elements[0]",
       [&](auto& s) { s.actuators[0] = control("p", {"dics"}, rt::ControlQuantity::kBrake, 0); }},
      {"actuators[0].control.elements",
       [&](auto& s) { s.actuators[0] = control("p", {}, rt::ControlQuantity::kBrake, 0); }},
      {"actuators[0].minimum", [&](auto& s) { s.actuators[0].minimum = -1; }},
      {"actuators[1].control.elements[0]",
       [&](auto& s) { s.actuators[1] = control("g", {"disc"}, rt::ControlQuantity::kRatio, 0); }},
      {"actuators[1].control.elements[1]",
       [&](auto& s) {
         s.actuators[1] = control("g", {"engine", "engine"}, rt::ControlQuantity::kRatio, 0);
       }},
      {"roads[0].friction", [&](auto& s) { s.roads[0].friction = 0; }},
      {"roads[0].heights.spacing",
       [&](auto& s) { s.roads[0].heights = rt::SurfaceGridSpec{0, 0, 0, 2, {1, 2, 3, 4}}; }},
      {"roads[0].heights.columns",
       [&](auto& s) { s.roads[0].heights = rt::SurfaceGridSpec{0, 0, 1, 0, {1, 2, 3, 4}}; }},
      {"roads[0].heights.values", [&](auto& s) { s.roads[0].heights = rt::SurfaceGridSpec{0, 0, 1, 2, {1, 2, 3}}; }},
      {"roads[0].heights.values[2]",
       [&](auto& s) { s.roads[0].heights = rt::SurfaceGridSpec{0, 0, 1, 2, {1, 2, nan, 3}}; }},
      {"roads[0].frictions.values[3]", [&](auto& s) {
         s.roads[0].frictions = rt::SurfaceGridSpec{0, 0, 1, 2, {1, 1, 1, -1}};
       }}};
  for (const Bad& bad : table) {
    rt::ModelSpec spec = good;
    bad.change(spec);
    INFO(bad.path);
    try {
      rt::buildModel(spec);
      FAIL("was accepted");
    } catch (const rt::ModelError& error) {
      CHECK(error.findings().size() == 1);
      CHECK(error.findings().front().path == bad.path);
      CHECK_FALSE(error.findings().front().rule.empty());
    }
  }
}
