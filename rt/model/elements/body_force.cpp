#include "rt/model/elements/body_force.h"

#include "rt/model/directions.h"
#include "rt/model/model_builder.h"

namespace tactus::rt {

Fields BodyForceSpec::fields() {
  static constexpr Field kFields[] = {
      field<&BodyForceSpec::body>("body", "Name of a body.", {.refers = Refers::kBody}),
      field<&BodyForceSpec::point>("point", "Point of action, body frame.",
                                   {.unit = "m", .range = Range::kFinite, .otherwise = "the center of mass"}),
      field<&BodyForceSpec::direction>("direction", "Direction of the force; it is normalized. The input is in N.",
                                       {.unit = "1", .range = Range::kDirection, .required = true}),
      field<&BodyForceSpec::frame>("frame", "Frame of the direction."),
  };
  return kFields;
}

void build(const BodyForceSpec& spec, Actuator& actuator, const ModelBuilder& builder) {
  actuator.kind = ActuatorKind::kBodyForce;
  actuator.target = builder.body(spec.body);
  actuator.point = spec.point;
  actuator.direction = unitVector(spec.direction);
  actuator.frame = spec.frame;
}

}  // namespace tactus::rt
