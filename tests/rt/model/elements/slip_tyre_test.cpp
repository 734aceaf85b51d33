// What is refused of tyres with slip, friction, brakes, powertrains, controls and surfaces.
// Covers: rt/model/elements/brush_tyre.cpp, rt/model/elements/magic_formula_tyre.cpp
// Covers: rt/model/elements/joint_friction.cpp, rt/model/elements/brake.cpp, rt/model/elements/powertrain.cpp
// Covers: rt/model/elements/control.cpp, rt/model/elements/surface_grid.cpp
#include "rt/error.h"
#include "rt/model/check_model.h"
#include "rt/model/model.h"
#include "tests/rt/mechanics/elements/flywheel.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <map>

using namespace tactus;
using namespace tactus::tests;
using rt::Vector3d;

TEST_CASE("each bad value of tyres, friction, brakes, powertrains, controls and surfaces is reported at its path",
          "[rt][model]") {
  rt::ModelSpec good = flywheel();
  good.roads = {{"road", "", Vector3d::Zero(), {0, 0, 1}, {1, 0, 0}, {}, 1, {}, {}, {}}};
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
                    control("gas", {"engine"}, rt::ControlQuantity::kThrottle, 0),
                    control("gear", {"engine"}, rt::ControlQuantity::kRatio, 1)};
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
      {"forces[0].slip_tyre.centre", [&](auto& s) { tyreOf(s).center[1] = nan; }},
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
      {"forces[1].slip_tyre.magic_formula.coefficients[\"PKY4\"]", [&](auto& s) { magicOf(s)["PKY4"] = 0; }},
      {"forces[1].slip_tyre.magic_formula.coefficients[\"PKY4\"]", [&](auto& s) { magicOf(s)["PKY4"] = 7; }},
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
      {"forces[4].powertrain.joints[2]",
       [&](auto& s) {
         engineOf(s).joints = {"hub", "base", "hub"};
       }},
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
       [&](auto& s) { s.actuators[1] = control("g", {"engine", "engine"}, rt::ControlQuantity::kRatio, 0); }},
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

TEST_CASE("a brake without an actuator and a powertrain without one of its ratio are warnings", "[rt][model]") {
  rt::ModelSpec spec = flywheel();
  rt::PowertrainSpec engine;
  engine.carrier = "carrier";
  engine.joints = {"hub"};
  engine.speeds = {0, 100};
  engine.full_torque = engine.zero_torque = {1, 1};
  spec.forces = {{"disc", "", rt::BrakeSpec{"hub", 20, 0.01}}, {"engine", "", engine}};
  spec.actuators = {control("gas", {"engine"}, rt::ControlQuantity::kThrottle, 0)};
  const auto findings = rt::checkModel(spec);
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].path == "forces[0].brake");
  CHECK(findings[1].path == "forces[1].powertrain");
  for (const rt::Finding& finding : findings) CHECK(finding.severity == rt::Severity::kWarning);

  spec.actuators.push_back(control("pedal", {"disc"}, rt::ControlQuantity::kBrake, 0));
  spec.actuators.push_back(control("gear", {"engine"}, rt::ControlQuantity::kRatio, 1));
  CHECK(rt::checkModel(spec).empty());
  // The error of a misspelt name says what is wrong.
  spec.actuators[1] = control("pedal", {"dics"}, rt::ControlQuantity::kBrake, 0);
  CHECK(rt::checkModel(spec).size() == 1);
}
