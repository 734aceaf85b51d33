#include "rt/model/elements/body_drag.h"

#include "rt/model/model_builder.h"

namespace tactus::rt {

Fields BodyDragSpec::fields() {
  static constexpr Field kFields[] = {
      field<&BodyDragSpec::body>("body", "Name of a body.", {.refers = Refers::kBody}),
      field<&BodyDragSpec::linear>("linear", "Force per velocity of the center of mass.",
                                   {.unit = "N s/m", .range = Range::kNotNegative}),
      field<&BodyDragSpec::angular>("angular", "Torque per angular velocity.",
                                    {.unit = "N m s/rad", .range = Range::kNotNegative}),
  };
  return kFields;
}

void build(const BodyDragSpec& spec, const ForceSpec&, ModelBuilder& builder) {
  builder.model().drags.push_back({builder.body(spec.body), spec.linear, spec.angular});
}

}  // namespace tactus::rt
