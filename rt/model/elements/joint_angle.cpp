#include "rt/model/elements/joint_angle.h"

#include "rt/model/model_builder.h"

namespace tactus::rt {

Fields JointAngleSpec::fields() {
  static constexpr Field kFields[] = {
      field<&JointAngleSpec::joint>("joint", "Name of a joint with an angle.", {.refers = Refers::kJointWithAngle}),
  };
  return kFields;
}

void build(const JointAngleSpec& spec, Sensor& sensor, const ModelBuilder& builder) {
  sensor.kind = SensorKind::kJointAngle;
  sensor.target = builder.row(spec.joint);
}

}  // namespace tactus::rt
