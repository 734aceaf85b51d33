#include "rt/model/elements/angular_velocity.h"

#include "rt/model/directions.h"
#include "rt/model/model_builder.h"

namespace tactus::rt {

Fields AngularVelocitySpec::fields() {
  static constexpr Field kFields[] = {
      field<&AngularVelocitySpec::body>("body", "Name of a body.", {.refers = Refers::kBody}),
      field<&AngularVelocitySpec::direction>("direction", "Direction of the component; it is normalized.",
                                             {.unit = "1", .range = Range::kDirection, .required = true}),
      field<&AngularVelocitySpec::frame>("frame", "Frame of the direction."),
  };
  return kFields;
}

void build(const AngularVelocitySpec& spec, Sensor& sensor, const ModelBuilder& builder) {
  sensor.kind = SensorKind::kAngularVelocity;
  sensor.target = builder.body(spec.body);
  sensor.direction = unitVector(spec.direction);
  sensor.frame = spec.frame;
}

}  // namespace tactus::rt
