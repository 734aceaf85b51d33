#include "rt/model/elements/slip_tyre.h"

#include "rt/model/check_fields.h"
#include "rt/model/directions.h"
#include "rt/model/model_builder.h"
#include "rt/model/model_spec.h"

#include <algorithm>
#include <cmath>

namespace tactus::rt {
namespace {

constexpr double kGravity = 9.80665;  ///< m/s^2: converts a load to a mass

}  // namespace

Fields SlipTyreSpec::fields() {
  static constexpr Field kFields[] = {
      field<&SlipTyreSpec::road>("road", "Name of a road.", {.refers = Refers::kRoad}),
      field<&SlipTyreSpec::body>("body", "Name of the wheel, a body that spins about `axis`.",
                                 {.refers = Refers::kBody}),
      field<&SlipTyreSpec::center>("centre", "Center of the wheel, body frame.",
                                   {.unit = "m", .range = Range::kFinite, .otherwise = "the center of mass"}),
      field<&SlipTyreSpec::axis>("axis", "Axis of spin, body frame; points to the left of the rolling direction.",
                                 {.unit = "1", .range = Range::kDirection, .required = true}),
      field<&SlipTyreSpec::radius>("radius", "Radius without load.", {.unit = "m", .range = Range::kPositive}),
      field<&SlipTyreSpec::rolling_radius>(
          "rolling_radius", "Distance from the center to the contact; converts spin to speed.",
          {.unit = "m", .range = Range::kPositive, .otherwise = "radius", .rule = "at most radius"}),
      field<&SlipTyreSpec::stiffness>("stiffness", "Vertical stiffness.", {.unit = "N/m", .range = Range::kPositive}),
      field<&SlipTyreSpec::damping>("damping", "Vertical damping.", {.unit = "N s/m", .range = Range::kNotNegative}),
      field<&SlipTyreSpec::nominal_load>("nominal_load", "Load for which the slip stiffnesses are given.",
                                         {.unit = "N", .range = Range::kPositive}),
      field<&SlipTyreSpec::longitudinal_relaxation>("longitudinal_relaxation",
                                                    "Relaxation length of the longitudinal force.",
                                                    {.unit = "m", .range = Range::kPositive, .otherwise = "radius"}),
      field<&SlipTyreSpec::lateral_relaxation>("lateral_relaxation", "Relaxation length of the lateral force.",
                                               {.unit = "m", .range = Range::kPositive, .otherwise = "radius"}),
      field<&SlipTyreSpec::rolling_resistance>("rolling_resistance",
                                               "Rolling resistance moment over load times rolling radius.",
                                               {.unit = "1", .range = Range::kWithin, .low = 0, .high = 1}),
      field<&SlipTyreSpec::standstill_damping>(
          "standstill_damping", "Damping of the standing tread along the road; fades as the wheel rolls.",
          {.unit = "N s/m",
           .range = Range::kNotNegative,
           .otherwise = "half the critical damping of the mass that the nominal load corresponds to"}),
      field<&SlipTyreSpec::mirrored>("mirrored", "The coefficients were measured for the other side of the vehicle."),
      field<&SlipTyreSpec::grip>("grip", "The law of the forces along the road."),
  };
  return kFields;
}

void check(const SlipTyreSpec& spec, const FindingPlace& at) {
  if (spec.rolling_radius && *spec.rolling_radius > spec.radius)
    at.error(".rolling_radius", printed(*spec.rolling_radius), "must not be above radius " + printed(spec.radius));
  std::visit(
      [&]<typename Grip>(const Grip& grip) {
        const FindingPlace of_grip = at.within(std::string(".") + Grip::kName);
        checkFields(grip, of_grip);
        if constexpr (requires { rt::check(grip, of_grip); }) rt::check(grip, of_grip);
      },
      spec.grip);
}

void build(const SlipTyreSpec& spec, const ForceSpec& force, ModelBuilder& builder) {
  SlipTyre tyre{};
  tyre.road = builder.road(spec.road);
  tyre.body = builder.body(spec.body);
  tyre.center = spec.center;
  tyre.axis = unitVector(spec.axis);
  tyre.radius = spec.radius;
  tyre.rolling_radius = spec.rolling_radius.value_or(spec.radius);
  tyre.stiffness = spec.stiffness;
  tyre.damping = spec.damping;
  tyre.nominal_load = spec.nominal_load;
  tyre.relaxation[0] = spec.longitudinal_relaxation.value_or(spec.radius);
  tyre.relaxation[1] = spec.lateral_relaxation.value_or(spec.radius);
  tyre.rolling_resistance = spec.rolling_resistance;
  tyre.mirrored = spec.mirrored;
  const NominalSlipStiffness K = std::visit([&](const auto& grip) { return rt::build(grip, tyre); }, spec.grip);
  // Half the critical damping of the mass that the nominal load stands for on the standing tread.
  const double spring = std::min(K.longitudinal / tyre.relaxation[0], K.lateral / tyre.relaxation[1]);
  tyre.standstill_damping = spec.standstill_damping.value_or(std::sqrt(spring * tyre.nominal_load / kGravity));
  tyre.internal_states = builder.takeInternalStates(kSlipTyreInternalStates);
  std::vector<SlipTyre>& all = builder.model().slip_tyres;
  const auto same = std::find_if(all.begin(), all.end(), [&](const SlipTyre& of) { return of.grip == tyre.grip; });
  tyre.like = static_cast<int>(same - all.begin());
  all.push_back(tyre);
  builder.model().slip_tyre_names.push_back(force.name);
}

}  // namespace tactus::rt
