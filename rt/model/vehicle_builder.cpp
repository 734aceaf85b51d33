#include "rt/model/vehicle_builder.h"

#include "rt/model/directions.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactus::rt {

namespace {

constexpr double kGravity = 9.80665;  ///< m/s^2: what makes a mass of a load
constexpr double kMaxPeak = 1.0;      ///< slip; where a curve has no peak before it

SurfaceGrid makeGrid(const SurfaceGridSpec& spec) {
  const int rows = static_cast<int>(spec.values.size()) / spec.columns;
  return {spec.along, spec.across, spec.spacing, rows, spec.columns, spec.values};
}

/// Argument B x at which sin(C atan(B x - E (B x - atan B x))) has its peak; infinite if it has none.
double magicPeak(double C, double E) noexcept {
  // There the angle is pi/2: x - E (x - atan x) = tan(pi / (2 C)). Bisection; the left side rises for E up to 1.
  if (!(C > 1)) return std::numeric_limits<double>::infinity();
  const double wanted = std::tan(std::acos(0.0) / C);
  double low = 0, high = 1e6;
  for (int pass = 0; pass < 200; ++pass) {
    const double x = 0.5 * (low + high);
    (x - E * (x - std::atan(x)) < wanted ? low : high) = x;
  }
  return high < 1e6 ? high : std::numeric_limits<double>::infinity();
}

/// Slip stiffness at the nominal load, over that load.
struct MagicStiffness {
  double longitudinal, lateral;

  explicit MagicStiffness(const MagicFormula& c) noexcept
      : longitudinal(c.PKX1), lateral(-c.PKY1 * std::sin(c.PKY4 * std::atan(1 / c.PKY2))) {}
};

MagicFormulaGrip makeMagicFormula(const MagicFormulaTyreSpec& spec) {
  MagicFormulaGrip grip{};
  grip.c.PKY4 = 2;  // files of the formula's older form do not have it
  for (const MagicFormulaName& known : kMagicFormulaNames)
    if (const auto given = spec.coefficients.find(known.name); given != spec.coefficients.end())
      grip.c.*known.member = given->second;
  const MagicFormula& c = grip.c;
  const MagicStiffness K(c);
  const double B_x = K.longitudinal / (c.PCX1 * c.PDX1), B_y = K.lateral / (c.PCY1 * c.PDY1);
  grip.peak_ratio = std::min(magicPeak(c.PCX1, std::min(c.PEX1, 1.0)) / B_x, kMaxPeak);
  grip.peak_angle = std::min(magicPeak(c.PCY1, std::min(c.PEY1, 1.0)) / B_y, kMaxPeak);
  return grip;
}

int takeInternalStates(int count, Model& model) {
  const int first = model.internal_states;
  model.internal_states += count;
  return first;
}

}  // namespace

Road makeRoad(const RoadSpec& spec) {
  Road road{spec.origin, unitVector(spec.up), unitVector(spec.along), {}, spec.friction, {}, {}};
  road.along = unitVector<Vector3d>(road.along - road.along.dot(road.up) * road.up);
  for (const HalfCylinderSpec& bump : spec.half_cylinders) road.half_cylinders.push_back({bump.position, bump.radius});
  if (spec.heights) road.heights = makeGrid(*spec.heights);
  if (spec.frictions) road.frictions = makeGrid(*spec.frictions);
  return road;
}

SlipTyre makeSlipTyre(const SlipTyreSpec& spec, int road, int body, Model& model) {
  SlipTyre tyre{};
  tyre.road = road;
  tyre.body = body;
  tyre.centre = spec.centre;
  tyre.axis = unitVector(spec.axis);
  tyre.radius = spec.radius;
  tyre.rolling_radius = spec.rolling_radius.value_or(spec.radius);
  tyre.stiffness = spec.stiffness;
  tyre.damping = spec.damping;
  tyre.nominal_load = spec.nominal_load;
  tyre.relaxation[0] = spec.longitudinal_relaxation;
  tyre.relaxation[1] = spec.lateral_relaxation;
  tyre.rolling_resistance = spec.rolling_resistance;
  tyre.mirrored = spec.mirrored;
  double longitudinal, lateral;  // slip stiffness at the nominal load
  if (const auto* brush = std::get_if<BrushTyreSpec>(&spec.grip)) {
    tyre.kind = GripKind::kBrush;
    tyre.brush = {brush->longitudinal_stiffness, brush->cornering_stiffness, brush->friction, brush->load_exponent,
                  brush->contact_half_length};
    longitudinal = brush->longitudinal_stiffness;
    lateral = brush->cornering_stiffness;
  } else {
    tyre.kind = GripKind::kMagicFormula;
    tyre.magic = makeMagicFormula(std::get<MagicFormulaTyreSpec>(spec.grip));
    const MagicStiffness K(tyre.magic.c);
    longitudinal = K.longitudinal * tyre.nominal_load;
    lateral = K.lateral * tyre.nominal_load;
  }
  // Half the critical damping of the mass that the nominal load stands for on the standing tread.
  const double spring = std::min(longitudinal / tyre.relaxation[0], lateral / tyre.relaxation[1]);
  tyre.standstill_damping = spec.standstill_damping.value_or(std::sqrt(spring * tyre.nominal_load / kGravity));
  tyre.internal_states = takeInternalStates(kSlipTyreInternalStates, model);
  return tyre;
}

JointFriction makeFriction(const JointFrictionSpec& spec, int joint, Model& model) {
  return {joint, spec.limit, spec.limit / spec.elastic, spec.along_axis, false, {}, takeInternalStates(1, model)};
}

JointFriction makeBrake(const BrakeSpec& spec, int joint, Model& model) {
  return {joint, spec.torque, spec.torque / spec.elastic, false, true, {}, takeInternalStates(1, model)};
}

Powertrain makePowertrain(const PowertrainSpec& spec, int carrier, const std::vector<int>& joints) {
  return {carrier, joints, spec.speeds, spec.full_torque, spec.zero_torque, spec.final_ratio, spec.efficiency, {}, {}};
}

}  // namespace tactus::rt
