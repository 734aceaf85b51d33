#include "rt/model/elements/dot1.h"

#include "rt/model/directions.h"
#include "rt/model/joint_builder.h"

namespace tactus::rt {

Fields Dot1Spec::fields() {
  static constexpr Field kFields[] = {
      field<&Dot1Spec::axis_1>("axis_1", "Direction on body 1.",
                               {.unit = "1", .range = Range::kDirection, .required = true}),
      field<&Dot1Spec::axis_2>("axis_2", "Direction on body 2.",
                               {.unit = "1", .range = Range::kDirection, .required = true}),
  };
  return kFields;
}

void build(const Dot1Spec& spec, JointBuilder& joint) {
  joint.keepPerpendicular(unitVector(spec.axis_1), unitVector(spec.axis_2));
}

}  // namespace tactus::rt
