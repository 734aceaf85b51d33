#include "rt/model/elements/revolute.h"

#include "rt/model/joint_builder.h"
#include "rt/model/rules.h"

namespace tactus::rt {

Fields RevoluteSpec::fields() {
  static constexpr Field kFields[] = {
      field<&RevoluteSpec::point_1>("point_1", "Point on body 1.",
                                    {.unit = "m", .range = Range::kFinite, .required = true}),
      field<&RevoluteSpec::point_2>("point_2", "Point on body 2.",
                                    {.unit = "m", .range = Range::kFinite, .required = true}),
      field<&RevoluteSpec::axis_1>("axis_1", "Axis on body 1.",
                                   {.unit = "1", .range = Range::kDirection, .required = true}),
      field<&RevoluteSpec::axis_2>("axis_2", "Axis on body 2.",
                                   {.unit = "1", .range = Range::kDirection, .required = true}),
      field<&RevoluteSpec::initial_angle>("initial_angle", "Angle in the declared state.",
                                          {.unit = "rad", .range = Range::kFinite}),
  };
  return kFields;
}

void check(const RevoluteSpec& spec, const JointSpec& joint, const FindingPlace& at) {
  requireSameWay(at, joint, spec.axis_1, spec.axis_2);
}

void build(const RevoluteSpec& spec, JointBuilder& joint) {
  joint.holdPoint(spec.point_1, spec.point_2);
  joint.alignAxes(spec.axis_1, spec.axis_2);
  joint.countAngle(spec.initial_angle);
}

}  // namespace tactus::rt
