#include "rt/model/elements/specific_force.h"

#include "rt/model/directions.h"
#include "rt/model/model_builder.h"

namespace tactus::rt {

Fields SpecificForceSpec::fields() {
  static constexpr Field kFields[] = {
      field<&SpecificForceSpec::body>("body", "Name of a body.", {.refers = Refers::kBody}),
      field<&SpecificForceSpec::point>("point", "Point of the body, body frame.",
                                       {.unit = "m", .range = Range::kFinite, .otherwise = "the center of mass"}),
      field<&SpecificForceSpec::direction>("direction", "Direction of the component; it is normalized.",
                                           {.unit = "1", .range = Range::kDirection, .required = true}),
      field<&SpecificForceSpec::frame>("frame", "Frame of the direction."),
  };
  return kFields;
}

void build(const SpecificForceSpec& spec, Sensor& sensor, const ModelBuilder& builder) {
  sensor.kind = SensorKind::kSpecificForce;
  sensor.target = builder.body(spec.body);
  sensor.point = spec.point;
  sensor.direction = unitVector(spec.direction);
  sensor.frame = spec.frame;
}

}  // namespace tactus::rt
