#include "rt/model/elements/joint_reaction.h"

#include "rt/model/directions.h"
#include "rt/model/model_builder.h"

namespace tactus::rt {

Fields JointReactionSpec::fields() {
  static constexpr Field kFields[] = {
      field<&JointReactionSpec::joint>("joint", "Name of a joint.", {.refers = Refers::kJoint}),
      field<&JointReactionSpec::torque>("torque", "Measures the torque, N m, and not the force, N."),
      field<&JointReactionSpec::direction>("direction", "Direction of the component; it is normalized.",
                                           {.unit = "1", .range = Range::kDirection, .required = true}),
      field<&JointReactionSpec::frame>("frame", "Frame of the direction; FRAME_BODY is that of body 2."),
  };
  return kFields;
}

void build(const JointReactionSpec& spec, Sensor& sensor, const ModelBuilder& builder) {
  sensor.kind = spec.torque ? SensorKind::kReactionTorque : SensorKind::kReactionForce;
  sensor.target = builder.row(spec.joint);
  sensor.direction = unitVector(spec.direction);
  sensor.frame = spec.frame;
}

}  // namespace tactus::rt
