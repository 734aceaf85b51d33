#include "rt/model/elements/force_value.h"

#include "rt/model/model_builder.h"

namespace tactus::rt {

Fields ForceValueSpec::fields() {
  static constexpr Field kFields[] = {
      field<&ForceValueSpec::force>("force",
                                    "Name of a force element of one row, such as a spring. The output is in N or N m.",
                                    {.refers = Refers::kRowForce}),
  };
  return kFields;
}

void build(const ForceValueSpec& spec, Sensor& sensor, const ModelBuilder& builder) {
  sensor.kind = SensorKind::kForceValue;
  sensor.target = builder.row(spec.force);
}

}  // namespace tactus::rt
