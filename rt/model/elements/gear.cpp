#include "rt/model/elements/gear.h"

#include "rt/model/directions.h"
#include "rt/model/joint_builder.h"
#include "rt/model/model_spec.h"
#include "rt/model/rules.h"

#include <algorithm>
#include <cmath>

namespace tactus::rt {

Fields GearSpec::fields() {
  static constexpr Field kFields[] = {
      field<&GearSpec::point_1>("point_1", "Center of wheel 1, a point of its axis, on body 1.",
                                {.unit = "m", .range = Range::kFinite, .required = true}),
      field<&GearSpec::point_2>("point_2", "Center of wheel 2, a point of its axis, on body 2.",
                                {.unit = "m", .range = Range::kFinite, .required = true}),
      field<&GearSpec::axis_1>("axis_1", "Axis of both wheels, on body 1.",
                               {.unit = "1", .range = Range::kDirection, .required = true}),
      field<&GearSpec::radius_1>("radius_1",
                                 "Pitch radius of wheel 1. The declared distance of the axes is radius_1 + radius_2.",
                                 {.unit = "m", .range = Range::kPositive}),
      field<&GearSpec::radius_2>("radius_2", "Pitch radius of wheel 2.", {.unit = "m", .range = Range::kPositive}),
      field<&GearSpec::internal>(
          "internal",
          "Body 2 is a ring with internal teeth; the declared distance of the axes is radius_2 - radius_1."),
  };
  return kFields;
}

void check(const GearSpec& spec, const JointSpec& joint, const FindingPlace& at) {
  constexpr double kTouching = 1e-3;  // of the larger radius
  if (spec.internal && !(spec.radius_2 > spec.radius_1))
    at.error(".radius_2", printed(spec.radius_2), "must be above radius_1 of an internal gear: body 2 is the ring");
  // The pitch circles touch in the declared state.
  const auto pose_1 = at.references.declaredPose(joint.body_1), pose_2 = at.references.declaredPose(joint.body_2);
  if (!pose_1 || !pose_2 || !spec.point_1.allFinite() || !spec.point_2.allFinite()) return;
  if (!spec.axis_1.allFinite() || !(spec.axis_1.cwiseAbs().maxCoeff() > kShortestDirection)) return;
  const Vector3d axis = pose_1->rotation * unitVector(spec.axis_1);
  const double apart = axis.cross(pose_2->toWorld(spec.point_2) - pose_1->toWorld(spec.point_1)).norm();
  const double wanted = spec.internal ? spec.radius_2 - spec.radius_1 : spec.radius_1 + spec.radius_2;
  if (!(std::abs(apart - wanted) <= kTouching * std::max(spec.radius_1, spec.radius_2)))
    at.error("", "axes " + printed(apart) + " m apart in the declared state",
             std::string("must have its axes ") + (spec.internal ? "radius_2 - radius_1" : "radius_1 + radius_2") +
                 " = " + printed(wanted) + " m apart");
}

void build(const GearSpec& spec, JointBuilder& joint) {
  const DeclaredPose &pose_1 = joint.pose1(), &pose_2 = joint.pose2();
  Model& model = joint.model();
  const Vector3d axis_1 = unitVector(spec.axis_1);
  joint.joint().axis_1 = axis_1;
  // Into one plane normal to the axis: what lies between the points along it is no part of the line of centers.
  const Vector3d axis = pose_1.rotation * axis_1;
  const Vector3d apart = pose_2.toWorld(spec.point_2) - pose_1.toWorld(spec.point_1);
  const Vector3d line = apart - apart.dot(axis) * axis;
  joint.setPoints(spec.point_1, spec.point_2 - pose_2.rotation.transpose() * (apart - line));
  Primitive& gear =
      joint.add(PrimitiveKind::kGear, joint.joint().point_1, joint.joint().point_2, axis_1, Vector3d::Zero());
  gear.b_1 = unitVector<Vector3d>(pose_1.rotation.transpose() * line);
  gear.b_2 = unitVector<Vector3d>(pose_2.rotation.transpose() * line);
  gear.rho_1 = spec.radius_1;
  gear.rho_2 = spec.internal ? -spec.radius_2 : spec.radius_2;
  gear.displacement = model.displacements;
  model.displacements += 2;
  model.gears.push_back(static_cast<int>(model.primitives.size()) - 1);
}

}  // namespace tactus::rt
