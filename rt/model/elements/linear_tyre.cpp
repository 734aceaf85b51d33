#include "rt/model/elements/linear_tyre.h"

#include "rt/model/elements/slip_tyre.h"

namespace tactus::rt {

Fields LinearTyreSpec::fields() {
  static constexpr Field kFields[] = {
      field<&LinearTyreSpec::longitudinal_stiffness>("longitudinal_stiffness", "Force per slip ratio.",
                                                     {.unit = "N", .range = Range::kPositive}),
      field<&LinearTyreSpec::cornering_stiffness>("cornering_stiffness", "Force per slip angle.",
                                                  {.unit = "N/rad", .range = Range::kPositive}),
      field<&LinearTyreSpec::camber_stiffness>("camber_stiffness",
                                               "Lateral force per camber, toward the side to which the wheel leans.",
                                               {.unit = "N/rad", .range = Range::kNotNegative}),
      field<&LinearTyreSpec::longitudinal_friction>("longitudinal_friction", "Coefficient of friction along the wheel.",
                                                    {.unit = "1", .range = Range::kPositive}),
      field<&LinearTyreSpec::lateral_friction>("lateral_friction", "Coefficient of friction across the wheel.",
                                               {.unit = "1", .range = Range::kPositive}),
      field<&LinearTyreSpec::pneumatic_trail>(
          "pneumatic_trail", "Distance behind the center of the contact at which the force of a small slip angle acts.",
          {.unit = "m", .range = Range::kNotNegative}),
  };
  return kFields;
}

NominalSlipStiffness build(const LinearTyreSpec& spec, SlipTyre& tyre) {
  tyre.grip = LinearGrip{spec.longitudinal_stiffness, spec.cornering_stiffness, spec.camber_stiffness,
                         spec.longitudinal_friction,  spec.lateral_friction,    spec.pneumatic_trail};
  return {spec.longitudinal_stiffness, spec.cornering_stiffness};
}

}  // namespace tactus::rt
