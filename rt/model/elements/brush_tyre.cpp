#include "rt/model/elements/brush_tyre.h"

#include "rt/model/elements/slip_tyre.h"

namespace tactus::rt {

Fields BrushTyreSpec::fields() {
  static constexpr Field kFields[] = {
      field<&BrushTyreSpec::longitudinal_stiffness>("longitudinal_stiffness",
                                                    "Force per slip ratio at the nominal load.",
                                                    {.unit = "N", .range = Range::kPositive}),
      field<&BrushTyreSpec::cornering_stiffness>("cornering_stiffness", "Force per slip angle at the nominal load.",
                                                 {.unit = "N/rad", .range = Range::kPositive}),
      field<&BrushTyreSpec::friction>("friction", "Coefficient of friction mu.",
                                      {.unit = "1", .range = Range::kPositive}),
      field<&BrushTyreSpec::load_exponent>("load_exponent",
                                           "The stiffnesses are proportional to (load / nominal load)^load_exponent.",
                                           {.unit = "1", .range = Range::kWithin, .low = 0, .high = 2}),
      field<&BrushTyreSpec::contact_half_length>("contact_half_length",
                                                 "Half length of the contact; produces the aligning moment.",
                                                 {.unit = "m", .range = Range::kNotNegative}),
  };
  return kFields;
}

NominalSlipStiffness build(const BrushTyreSpec& spec, SlipTyre& tyre) {
  tyre.grip = BrushGrip{spec.longitudinal_stiffness, spec.cornering_stiffness, spec.friction, spec.load_exponent,
                        spec.contact_half_length};
  return {spec.longitudinal_stiffness, spec.cornering_stiffness};
}

}  // namespace tactus::rt
