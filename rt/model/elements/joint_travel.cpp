#include "rt/model/elements/joint_travel.h"

#include "rt/model/model_builder.h"

namespace tactus::rt {

Fields JointTravelSpec::fields() {
  static constexpr Field kFields[] = {
      field<&JointTravelSpec::joint>("joint", "Name of a joint with a travel.", {.refers = Refers::kJointWithTravel}),
      field<&JointTravelSpec::rate>("rate", "Measures the rate of the travel."),
  };
  return kFields;
}

void build(const JointTravelSpec& spec, Sensor& sensor, const ModelBuilder& builder) {
  sensor.kind = spec.rate ? SensorKind::kJointTravelRate : SensorKind::kJointTravel;
  sensor.target = builder.row(spec.joint);
}

}  // namespace tactus::rt
