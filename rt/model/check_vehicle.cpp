// Rules on tyres with slip, friction, brakes, powertrains and the surface of roads.
#include "rt/model/check_model.h"
#include "rt/model/magic_formula.h"
#include "rt/model/road_envelope.h"
#include "rt/model/rules.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace tactus::rt::rules {
namespace {

constexpr std::size_t kMaxGridValues = 500'000;
constexpr std::size_t kMaxEnvelopeValues = 4'000'000;  ///< of all tyres
constexpr std::size_t kMaxEngineSpeeds = 256;
constexpr std::size_t kMaxDrivenWheels = 64;

void checkBrush(const std::string& at, const BrushTyreSpec& s, FindingList& out) {
  requirePositive(at + ".longitudinal_stiffness", s.longitudinal_stiffness, out);
  requirePositive(at + ".cornering_stiffness", s.cornering_stiffness, out);
  requirePositive(at + ".friction", s.friction, out);
  requireWithin(at + ".load_exponent", s.load_exponent, 0, 2, out);
  requireNotNegative(at + ".contact_half_length", s.contact_half_length, out);
}

void checkMagicFormula(const std::string& at, const MagicFormulaTyreSpec& s, FindingList& out) {
  std::vector<std::string> known;
  for (const MagicFormulaName& name : kMagicFormulaNames) known.emplace_back(name.name);
  for (const auto& [name, value] : s.coefficients) {
    const std::string path = at + ".coefficients[\"" + name + "\"]";
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      const std::string nearest = nearestName(name, known);
      out.error(path, printed(name), "must be a coefficient of the Magic Formula, in capital letters",
                nearest.empty() ? "" : "did you mean \"" + nearest + "\"?");
    }
    requireFinite(path, value, out);
  }
  const auto value = [&](const char* name) {
    const auto given = s.coefficients.find(name);
    return given == s.coefficients.end() ? 0.0 : given->second;
  };
  for (const char* name : {"PCX1", "PDX1", "PKX1", "PCY1", "PDY1", "PKY2"})
    if (!(value(name) > 0))
      out.error(at + ".coefficients[\"" + name + "\"]", printed(value(name)), "must be given, above zero");
  if (!(value("PKY1") < 0))
    out.error(at + ".coefficients[\"PKY1\"]", printed(value("PKY1")), "must be given, below zero",
              "the signs are those of the ISO axes, as in tyre property files");
}

void checkSlipTyre(const std::string& at, const SlipTyreSpec& s, const References& references, FindingList& out) {
  references.requireRoad(at + ".road", s.road, out);
  references.requireBody(at + ".body", s.body, false, out);
  requireFinite(at + ".centre", s.centre, out);
  requireDirection(at + ".axis", s.axis, out);
  requirePositive(at + ".radius", s.radius, out);
  if (s.rolling_radius) {
    requirePositive(at + ".rolling_radius", *s.rolling_radius, out);
    if (*s.rolling_radius > s.radius)
      out.error(at + ".rolling_radius", printed(*s.rolling_radius), "must not be above radius " + printed(s.radius));
  }
  requirePositive(at + ".stiffness", s.stiffness, out);
  requireNotNegative(at + ".damping", s.damping, out);
  requirePositive(at + ".nominal_load", s.nominal_load, out);
  requirePositive(at + ".longitudinal_relaxation", s.longitudinal_relaxation, out);
  requirePositive(at + ".lateral_relaxation", s.lateral_relaxation, out);
  requireWithin(at + ".rolling_resistance", s.rolling_resistance, 0, 1, out);
  if (s.standstill_damping) requireNotNegative(at + ".standstill_damping", *s.standstill_damping, out);
  if (const auto* brush = std::get_if<BrushTyreSpec>(&s.grip))
    checkBrush(at + ".brush", *brush, out);
  else
    checkMagicFormula(at + ".magic_formula", std::get<MagicFormulaTyreSpec>(s.grip), out);
}

void checkFriction(const std::string& at, const JointFrictionSpec& s, const References& references, FindingList& out) {
  if (s.along_axis)
    references.requireTravel(at + ".joint", s.joint, out);
  else
    references.requireAngle(at + ".joint", s.joint, out);
  requirePositive(at + ".limit", s.limit, out);
  requirePositive(at + ".elastic", s.elastic, out);
}

void checkBrake(const std::string& at, const BrakeSpec& s, const References& references, FindingList& out) {
  references.requireAngle(at + ".joint", s.joint, out);
  requirePositive(at + ".torque", s.torque, out);
  requirePositive(at + ".elastic", s.elastic, out);
}

void checkPowertrain(const std::string& at, const PowertrainSpec& s, const References& references, FindingList& out) {
  references.requireBody(at + ".carrier", s.carrier, true, out);
  if (s.joints.empty() || s.joints.size() > kMaxDrivenWheels)
    out.error(at + ".joints", std::to_string(s.joints.size()) + " names", "must be 1 to 64 joints of driven wheels");
  for (std::size_t i = 0; i < s.joints.size(); ++i)
    references.requireAngle(element((at + ".joints").c_str(), i), s.joints[i], out);
  if (s.speeds.size() < 2 || s.speeds.size() > kMaxEngineSpeeds)
    out.error(at + ".speeds", std::to_string(s.speeds.size()) + " numbers", "must be 2 to 256 numbers");
  for (std::size_t i = 0; i < s.speeds.size(); ++i) {
    if (!requireFinite(element((at + ".speeds").c_str(), i), s.speeds[i], out)) break;
    if (i > 0 && !(s.speeds[i] > s.speeds[i - 1])) {
      out.error(element((at + ".speeds").c_str(), i), printed(s.speeds[i]), "must be above the one before");
      break;
    }
  }
  const auto checkTorques = [&](const char* field, const std::vector<double>& torques) {
    if (torques.size() != s.speeds.size())
      out.error(at + field, std::to_string(torques.size()) + " numbers",
                "must be as many as speeds: " + std::to_string(s.speeds.size()));
    for (std::size_t i = 0; i < torques.size(); ++i) requireFinite(element((at + field).c_str(), i), torques[i], out);
  };
  checkTorques(".full_torque", s.full_torque);
  checkTorques(".zero_torque", s.zero_torque);
  requirePositive(at + ".final_ratio", s.final_ratio, out);
  requireWithin(at + ".efficiency", s.efficiency, 0.01, 1, out);
}

}  // namespace

bool checkVehicleForce(const std::string& path, const ForceSpec& force, const References& references,
                       FindingList& out) {
  if (const auto* tyre = std::get_if<SlipTyreSpec>(&force.kind)) {
    checkSlipTyre(path + ".slip_tyre", *tyre, references, out);
  } else if (const auto* friction = std::get_if<JointFrictionSpec>(&force.kind)) {
    checkFriction(path + ".joint_friction", *friction, references, out);
  } else if (const auto* brake = std::get_if<BrakeSpec>(&force.kind)) {
    checkBrake(path + ".brake", *brake, references, out);
  } else if (const auto* powertrain = std::get_if<PowertrainSpec>(&force.kind)) {
    checkPowertrain(path + ".powertrain", *powertrain, references, out);
  } else {
    return false;
  }
  return true;
}

void checkSurfaceGrid(const std::string& path, const SurfaceGridSpec& grid, FindingList& out) {
  requireFinite(path + ".along", grid.along, out);
  requireFinite(path + ".across", grid.across, out);
  requirePositive(path + ".spacing", grid.spacing, out);
  const std::size_t count = grid.values.size();
  if (grid.columns < 2) {
    out.error(path + ".columns", std::to_string(grid.columns), "must be 2 or more");
    return;
  }
  const auto columns = static_cast<std::size_t>(grid.columns);
  if (count % columns != 0 || count / columns < 2 || count > kMaxGridValues)
    out.error(path + ".values", std::to_string(count) + " numbers",
              "must be 2 or more whole rows of " + std::to_string(columns) + ", at most 500 000 numbers");
  for (std::size_t i = 0; i < count; ++i)
    if (!requireFinite(element((path + ".values").c_str(), i), grid.values[i], out)) return;
}

void checkEnvelopes(const ModelSpec& spec, FindingList& out) {
  std::set<std::pair<std::string, double>> counted;
  std::size_t sum = 0;
  for (std::size_t f = 0; f < spec.forces.size(); ++f) {
    const auto* tyre = std::get_if<VerticalTyreSpec>(&spec.forces[f].kind);
    if (tyre == nullptr || !(tyre->radius > 0 && std::isfinite(tyre->radius))) continue;
    const auto road =
        std::find_if(spec.roads.begin(), spec.roads.end(), [tyre](const RoadSpec& r) { return r.name == tyre->road; });
    if (road == spec.roads.end() || !road->heights) continue;
    const SurfaceGridSpec& grid = *road->heights;
    if (grid.columns < 2 || !(grid.spacing > 0) || !counted.emplace(tyre->road, tyre->radius).second) continue;
    const auto columns = static_cast<std::size_t>(grid.columns);
    sum += envelopeSize(grid.values.size() / columns, columns, grid.spacing, tyre->radius);
    if (sum <= kMaxEnvelopeValues) continue;
    return out.error(element("forces", f) + ".vertical_tyre.road", printed(tyre->road),
                     "must be a road whose heights make a profile of at most 4 000 000 numbers for all radii together",
                     "a coarser grid, or one radius for all wheels");
  }
}

void checkControls(const ModelSpec& spec, FindingList& out) {
  const auto forceOf = [&spec](const std::string& name) -> const ForceSpec* {
    const auto found = std::find_if(spec.forces.begin(), spec.forces.end(),
                                    [&name](const ForceSpec& force) { return force.name == name; });
    return found == spec.forces.end() ? nullptr : &*found;
  };
  for (std::size_t a = 0; a < spec.actuators.size(); ++a) {
    const auto* control = std::get_if<ControlSpec>(&spec.actuators[a].kind);
    if (control == nullptr) continue;
    const std::string path = element("actuators", a) + ".control.elements";
    const bool brakes = control->quantity == ControlQuantity::kBrake;
    std::vector<std::string> known;
    for (const ForceSpec& force : spec.forces)
      if (brakes ? std::holds_alternative<BrakeSpec>(force.kind) : std::holds_alternative<PowertrainSpec>(force.kind))
        known.push_back(force.name);
    if (control->elements.empty())
      out.error(path, "none", std::string("must name at least one ") + (brakes ? "brake" : "powertrain"));
    for (std::size_t i = 0; i < control->elements.size(); ++i) {
      const std::string& name = control->elements[i];
      const std::string at = element(path.c_str(), i);
      const std::string nearest = nearestName(name, known);
      const std::string hint = nearest.empty() ? "" : "did you mean \"" + nearest + "\"?";
      if (std::find(known.begin(), known.end(), name) == known.end())
        out.error(at, printed(name),
                  std::string(forceOf(name) == nullptr ? "must be the name of a " : "must be a ") +
                      (brakes ? "brake" : "powertrain"),
                  hint);
      else if (std::count(control->elements.begin(), control->elements.begin() + static_cast<std::ptrdiff_t>(i), name) >
               0)
        out.error(at, printed(name), "must be named once");
    }
    if (brakes && spec.actuators[a].minimum.value_or(-1) < 0)
      out.error(element("actuators", a) + ".minimum",
                spec.actuators[a].minimum ? printed(*spec.actuators[a].minimum) : "none",
                "of a brake must be given, not below zero");
  }
}

}  // namespace tactus::rt::rules
