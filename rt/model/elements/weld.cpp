#include "rt/model/elements/weld.h"

#include "rt/model/joint_builder.h"

namespace tactus::rt {

Fields WeldSpec::fields() {
  static constexpr Field kFields[] = {
      field<&WeldSpec::point_1>("point_1", "Point on body 1.",
                                {.unit = "m", .range = Range::kFinite, .required = true}),
      field<&WeldSpec::point_2>("point_2", "Point on body 2.",
                                {.unit = "m", .range = Range::kFinite, .required = true}),
  };
  return kFields;
}

void build(const WeldSpec& spec, JointBuilder& joint) {
  joint.holdPoint(spec.point_1, spec.point_2);
  const Vector3d axis_1 = Vector3d::UnitZ();
  joint.alignAxes(axis_1, joint.pose2().rotation.transpose() * (joint.pose1().rotation * axis_1));
  joint.lockTurning();
}

}  // namespace tactus::rt
