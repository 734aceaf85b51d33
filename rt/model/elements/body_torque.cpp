#include "rt/model/elements/body_torque.h"

#include "rt/model/directions.h"
#include "rt/model/model_builder.h"

namespace tactus::rt {

Fields BodyTorqueSpec::fields() {
  static constexpr Field kFields[] = {
      field<&BodyTorqueSpec::body>("body", "Name of a body.", {.refers = Refers::kBody}),
      field<&BodyTorqueSpec::direction>("direction", "Axis of the torque; it is normalized. The input is in N m.",
                                        {.unit = "1", .range = Range::kDirection, .required = true}),
      field<&BodyTorqueSpec::frame>("frame", "Frame of the direction."),
  };
  return kFields;
}

void build(const BodyTorqueSpec& spec, Actuator& actuator, const ModelBuilder& builder) {
  actuator.kind = ActuatorKind::kBodyTorque;
  actuator.target = builder.body(spec.body);
  actuator.direction = unitVector(spec.direction);
  actuator.frame = spec.frame;
}

}  // namespace tactus::rt
