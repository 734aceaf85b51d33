#include "rt/model/elements/dot2.h"

#include "rt/model/directions.h"
#include "rt/model/joint_builder.h"

namespace tactus::rt {

Fields Dot2Spec::fields() {
  static constexpr Field kFields[] = {
      field<&Dot2Spec::axis_1>("axis_1", "Normal of the plane, on body 1.",
                               {.unit = "1", .range = Range::kDirection, .required = true}),
      field<&Dot2Spec::point_1>("point_1", "Point on body 1.",
                                {.unit = "m", .range = Range::kFinite, .required = true}),
      field<&Dot2Spec::point_2>("point_2", "Point on body 2.",
                                {.unit = "m", .range = Range::kFinite, .required = true}),
  };
  return kFields;
}

void build(const Dot2Spec& spec, JointBuilder& joint) {
  joint.setPoints(spec.point_1, spec.point_2);
  joint.keepInPlane(unitVector(spec.axis_1));
}

}  // namespace tactus::rt
