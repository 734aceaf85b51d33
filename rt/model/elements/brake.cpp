#include "rt/model/elements/brake.h"

#include "rt/model/model_builder.h"
#include "rt/model/model_spec.h"

namespace tactus::rt {

Fields BrakeSpec::fields() {
  static constexpr Field kFields[] = {
      field<&BrakeSpec::joint>("joint", "Name of a joint with an angle.", {.refers = Refers::kJointWithAngle}),
      field<&BrakeSpec::torque>("torque", "Torque at input 1.", {.unit = "N m", .range = Range::kPositive}),
      field<&BrakeSpec::elastic>("elastic", "Angle by which the brake deforms before it slides at full torque.",
                                 {.unit = "rad", .range = Range::kPositive}),
  };
  return kFields;
}

void build(const BrakeSpec& spec, const ForceSpec& force, ModelBuilder& builder) {
  builder.append({builder.row(spec.joint),
                  spec.torque,
                  spec.torque / spec.elastic,
                  false,
                  true,
                  {},
                  builder.takeInternalStates(1)},
                 force.name);
}

}  // namespace tactus::rt
