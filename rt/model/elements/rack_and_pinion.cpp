#include "rt/model/elements/rack_and_pinion.h"

#include "rt/model/directions.h"
#include "rt/model/joint_builder.h"
#include "rt/model/rules.h"

#include <cmath>

namespace tactus::rt {

Fields RackAndPinionSpec::fields() {
  static constexpr Field kFields[] = {
      field<&RackAndPinionSpec::point_1>("point_1", "Any point of the rack, on body 1.",
                                         {.unit = "m", .range = Range::kFinite, .required = true}),
      field<&RackAndPinionSpec::point_2>("point_2", "Center of the pinion, on body 2.",
                                         {.unit = "m", .range = Range::kFinite, .required = true}),
      field<&RackAndPinionSpec::axis_1>("axis_1", "Axis of the pinion, on body 1.",
                                        {.unit = "1", .range = Range::kDirection, .required = true}),
      field<&RackAndPinionSpec::direction_1>(
          "direction_1", "Direction of the rack, on body 1.",
          {.unit = "1", .range = Range::kDirection, .required = true, .rule = "perpendicular to axis_1"}),
      field<&RackAndPinionSpec::radius>("radius", "Radius of the pitch circle.",
                                        {.unit = "m", .range = Range::kPositive}),
  };
  return kFields;
}

void check(const RackAndPinionSpec& spec, const JointSpec&, const FindingPlace& at) {
  constexpr double kAcross = 1e-6;  // what six digits of a file leave
  if (std::abs(spec.axis_1.dot(spec.direction_1)) > kAcross * spec.axis_1.norm() * spec.direction_1.norm())
    at.error(".direction_1", printed(spec.direction_1), "must be perpendicular to axis_1");
}

void build(const RackAndPinionSpec& spec, JointBuilder& joint) {
  joint.setPoints(spec.point_1, spec.point_2);
  Joint& rack = joint.joint();
  rack.axis_1 = unitVector(spec.axis_1);
  rack.axis_2 = joint.pose2().rotation.transpose() * (joint.pose1().rotation * rack.axis_1);
  rack.zero_1 = perpendicularTo(rack.axis_1);
  joint.shareZero();
  joint.countAngle(0);
  joint.roll(unitVector(spec.direction_1), spec.radius);
}

}  // namespace tactus::rt
