#include "rt/model/elements/air_load.h"

#include "rt/model/directions.h"
#include "rt/model/model_builder.h"
#include "rt/model/rules.h"

namespace tactus::rt {

Fields AirLoadSpec::fields() {
  static constexpr Field kFields[] = {
      field<&AirLoadSpec::body>("body", "Name of a body.", {.refers = Refers::kBody}),
      field<&AirLoadSpec::point>("point", "Point of action, body frame.",
                                 {.unit = "m", .range = Range::kFinite, .otherwise = "the center of mass"}),
      field<&AirLoadSpec::area>("area", "Reference area.", {.unit = "m^2", .range = Range::kPositive}),
      field<&AirLoadSpec::density>("density", "Density of the air.", {.unit = "kg/m^3", .range = Range::kPositive}),
      field<&AirLoadSpec::drag>("drag", "Drag coefficient.", {.unit = "1", .range = Range::kNotNegative}),
      field<&AirLoadSpec::lift>("lift", "Lift coefficient; below zero: downforce.",
                                {.unit = "1", .range = Range::kFinite}),
      field<&AirLoadSpec::up>("up", "Direction of the lift, body frame.",
                              {.unit = "1", .rule = "required where lift is not zero"}),
      field<&AirLoadSpec::wind>("wind", "Velocity of the air, world frame.", {.unit = "m/s", .range = Range::kFinite}),
      field<&AirLoadSpec::side>("side", "Coefficient of the additional resistance to motion along `across`.",
                                {.unit = "1", .range = Range::kNotNegative}),
      field<&AirLoadSpec::across>("across", "Direction of the side force, body frame.",
                                  {.unit = "1", .rule = "required where side is not zero"}),
  };
  return kFields;
}

void check(const AirLoadSpec& spec, const FindingPlace& at) {
  if (spec.lift != 0) requireDirection(at.path + ".up", spec.up, at.out);
  if (spec.side != 0) requireDirection(at.path + ".across", spec.across, at.out);
}

void build(const AirLoadSpec& spec, const ForceSpec&, ModelBuilder& builder) {
  const double half = 0.5 * spec.density * spec.area;
  const auto along = [](double coefficient, const Vector3d& direction) {
    return coefficient == 0 ? Vector3d(Vector3d::Zero()) : unitVector(direction);
  };
  builder.model().air_loads.push_back({builder.body(spec.body), spec.point, along(spec.lift, spec.up), spec.wind,
                                       half * spec.drag, half * spec.lift, half * spec.side,
                                       along(spec.side, spec.across)});
}

}  // namespace tactus::rt
