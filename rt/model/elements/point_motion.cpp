#include "rt/model/elements/point_motion.h"

#include "rt/model/directions.h"
#include "rt/model/model_builder.h"

namespace tactus::rt {

Fields PointMotionSpec::fields() {
  static constexpr Field kFields[] = {
      field<&PointMotionSpec::body>("body", "Name of a body.", {.refers = Refers::kBody}),
      field<&PointMotionSpec::point>("point", "Point of the body, body frame.",
                                     {.unit = "m", .range = Range::kFinite, .otherwise = "the center of mass"}),
      field<&PointMotionSpec::direction>("direction", "Direction of the component; it is normalized.",
                                         {.unit = "1", .range = Range::kDirection, .required = true}),
      field<&PointMotionSpec::frame>("frame", "Frame of the direction."),
  };
  return kFields;
}

void build(const PointMotionSpec& spec, Sensor& sensor, const ModelBuilder& builder) {
  static constexpr SensorKind kKinds[] = {SensorKind::kPointPosition, SensorKind::kPointVelocity,
                                          SensorKind::kPointAcceleration};
  sensor.kind = kKinds[static_cast<int>(spec.quantity)];
  sensor.target = builder.body(spec.body);
  sensor.point = spec.point;
  sensor.direction = unitVector(spec.direction);
  sensor.frame = spec.frame;
}

}  // namespace tactus::rt
