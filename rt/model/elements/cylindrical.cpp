#include "rt/model/elements/cylindrical.h"

#include "rt/model/joint_builder.h"
#include "rt/model/rules.h"

namespace tactus::rt {

Fields CylindricalSpec::fields() {
  static constexpr Field kFields[] = {
      field<&CylindricalSpec::point_1>("point_1", "Point on body 1.",
                                       {.unit = "m", .range = Range::kFinite, .required = true}),
      field<&CylindricalSpec::point_2>("point_2", "Point on body 2.",
                                       {.unit = "m", .range = Range::kFinite, .required = true}),
      field<&CylindricalSpec::axis_1>("axis_1", "Axis on body 1.",
                                      {.unit = "1", .range = Range::kDirection, .required = true}),
      field<&CylindricalSpec::axis_2>("axis_2", "Axis on body 2.",
                                      {.unit = "1", .range = Range::kDirection, .required = true}),
      field<&CylindricalSpec::initial_angle>("initial_angle", "Angle in the declared state.",
                                             {.unit = "rad", .range = Range::kFinite}),
  };
  return kFields;
}

void check(const CylindricalSpec& spec, const JointSpec& joint, const FindingPlace& at) {
  requireSameWay(at, joint, spec.axis_1, spec.axis_2);
}

void build(const CylindricalSpec& spec, JointBuilder& joint) {
  joint.setPoints(spec.point_1, spec.point_2);
  joint.alignAxes(spec.axis_1, spec.axis_2);
  joint.keepOnLine();
  joint.countAngle(spec.initial_angle);
  joint.joint().has_travel = true;
}

}  // namespace tactus::rt
