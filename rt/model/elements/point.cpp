#include "rt/model/elements/point.h"

#include "rt/model/joint_builder.h"

namespace tactus::rt {

Fields PointSpec::fields() {
  static constexpr Field kFields[] = {
      field<&PointSpec::point_1>("point_1", "Point on body 1.",
                                 {.unit = "m", .range = Range::kFinite, .required = true}),
      field<&PointSpec::point_2>("point_2", "Point on body 2.",
                                 {.unit = "m", .range = Range::kFinite, .required = true}),
  };
  return kFields;
}

void build(const PointSpec& spec, JointBuilder& joint) {
  joint.holdPoint(spec.point_1, spec.point_2);
}

}  // namespace tactus::rt
