#include "rt/model/elements/planar.h"

#include "rt/model/joint_builder.h"
#include "rt/model/rules.h"

namespace tactus::rt {

Fields PlanarSpec::fields() {
  static constexpr Field kFields[] = {
      field<&PlanarSpec::point_1>("point_1", "Point on body 1.",
                                  {.unit = "m", .range = Range::kFinite, .required = true}),
      field<&PlanarSpec::point_2>("point_2", "Point on body 2.",
                                  {.unit = "m", .range = Range::kFinite, .required = true}),
      field<&PlanarSpec::axis_1>("axis_1", "Normal of the plane on body 1.",
                                 {.unit = "1", .range = Range::kDirection, .required = true}),
      field<&PlanarSpec::axis_2>("axis_2", "Normal of the plane on body 2.",
                                 {.unit = "1", .range = Range::kDirection, .required = true}),
      field<&PlanarSpec::initial_angle>("initial_angle", "Angle in the declared state.",
                                        {.unit = "rad", .range = Range::kFinite}),
  };
  return kFields;
}

void check(const PlanarSpec& spec, const JointSpec& joint, const FindingPlace& at) {
  requireSameWay(at, joint, spec.axis_1, spec.axis_2);
}

void build(const PlanarSpec& spec, JointBuilder& joint) {
  joint.setPoints(spec.point_1, spec.point_2);
  joint.alignAxes(spec.axis_1, spec.axis_2);
  joint.keepInPlane(joint.joint().axis_1);
  joint.countAngle(spec.initial_angle);
}

}  // namespace tactus::rt
