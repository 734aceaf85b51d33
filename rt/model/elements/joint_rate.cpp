#include "rt/model/elements/joint_rate.h"

#include "rt/model/model_builder.h"

namespace tactus::rt {

Fields JointRateSpec::fields() {
  static constexpr Field kFields[] = {
      field<&JointRateSpec::joint>("joint", "Name of a joint with an angle.", {.refers = Refers::kJointWithAngle}),
  };
  return kFields;
}

void build(const JointRateSpec& spec, Sensor& sensor, const ModelBuilder& builder) {
  sensor.kind = SensorKind::kJointRate;
  sensor.target = builder.row(spec.joint);
}

}  // namespace tactus::rt
