#include "rt/model/elements/prismatic.h"

#include "rt/model/joint_builder.h"
#include "rt/model/rules.h"

namespace tactus::rt {

Fields PrismaticSpec::fields() {
  static constexpr Field kFields[] = {
      field<&PrismaticSpec::point_1>("point_1", "Point on body 1.",
                                     {.unit = "m", .range = Range::kFinite, .required = true}),
      field<&PrismaticSpec::point_2>("point_2", "Point on body 2.",
                                     {.unit = "m", .range = Range::kFinite, .required = true}),
      field<&PrismaticSpec::axis_1>("axis_1", "Axis on body 1.",
                                    {.unit = "1", .range = Range::kDirection, .required = true}),
      field<&PrismaticSpec::axis_2>("axis_2", "Axis on body 2.",
                                    {.unit = "1", .range = Range::kDirection, .required = true}),
  };
  return kFields;
}

void check(const PrismaticSpec& spec, const JointSpec& joint, const FindingPlace& at) {
  requireSameWay(at, joint, spec.axis_1, spec.axis_2);
}

void build(const PrismaticSpec& spec, JointBuilder& joint) {
  joint.setPoints(spec.point_1, spec.point_2);
  joint.alignAxes(spec.axis_1, spec.axis_2);
  joint.lockTurning();
  joint.keepOnLine();
  joint.joint().has_travel = true;
}

}  // namespace tactus::rt
