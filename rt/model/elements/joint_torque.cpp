#include "rt/model/elements/joint_torque.h"

#include "rt/model/model_builder.h"

namespace tactus::rt {

Fields JointTorqueSpec::fields() {
  static constexpr Field kFields[] = {
      field<&JointTorqueSpec::joint>("joint", "Name of a joint with an angle. The input is in N m.",
                                     {.refers = Refers::kJointWithAngle}),
  };
  return kFields;
}

void build(const JointTorqueSpec& spec, Actuator& actuator, const ModelBuilder& builder) {
  actuator.kind = ActuatorKind::kJointTorque;
  actuator.target = builder.row(spec.joint);
}

}  // namespace tactus::rt
