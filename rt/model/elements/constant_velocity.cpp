#include "rt/model/elements/constant_velocity.h"

#include "rt/model/directions.h"
#include "rt/model/joint_builder.h"
#include "rt/model/rules.h"

namespace tactus::rt {
namespace {

/// A vector after the shortest rotation that turns the unit vector `from` to the unit vector `to`.
Vector3d bent(const Vector3d& vector, const Vector3d& from, const Vector3d& to) {
  const Vector3d v = from.cross(to);
  return vector + v.cross(vector) + v.cross(v.cross(vector)) / (1 + from.dot(to));
}

}  // namespace

Fields ConstantVelocitySpec::fields() {
  static constexpr Field kFields[] = {
      field<&ConstantVelocitySpec::point_1>("point_1", "Center of the joint, on body 1.",
                                            {.unit = "m", .range = Range::kFinite, .required = true}),
      field<&ConstantVelocitySpec::point_2>("point_2", "Center of the joint, on body 2.",
                                            {.unit = "m", .range = Range::kFinite, .required = true}),
      field<&ConstantVelocitySpec::axis_1>("axis_1", "Axis of the shaft on body 1.",
                                           {.unit = "1", .range = Range::kDirection, .required = true}),
      field<&ConstantVelocitySpec::axis_2>("axis_2", "Axis of the shaft on body 2.",
                                           {.unit = "1",
                                            .range = Range::kDirection,
                                            .required = true,
                                            .rule = "less than a right angle from axis_1 in the declared state"}),
  };
  return kFields;
}

void check(const ConstantVelocitySpec& spec, const JointSpec& joint, const FindingPlace& at) {
  requireSameWay(at, joint, spec.axis_1, spec.axis_2);
}

void build(const ConstantVelocitySpec& spec, JointBuilder& joint) {
  joint.holdPoint(spec.point_1, spec.point_2);
  const Matrix3d &R_1 = joint.pose1().rotation, &R_2 = joint.pose2().rotation;
  const Vector3d axis_1 = unitVector(spec.axis_1), axis_2 = unitVector(spec.axis_2);
  const Vector3d e_1 = perpendicularTo(axis_1), f_1 = axis_1.cross(e_1);
  const auto onBody2 = [&](const Vector3d& across) {
    return Vector3d(R_2.transpose() * bent(R_1 * across, R_1 * axis_1, R_2 * axis_2));
  };
  Primitive& twist = joint.add(PrimitiveKind::kTwist, Vector3d::Zero(), Vector3d::Zero(), f_1, onBody2(e_1));
  twist.b_1 = e_1;
  twist.b_2 = onBody2(f_1);
}

}  // namespace tactus::rt
