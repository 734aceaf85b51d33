#include "rt/model/elements/screw.h"

#include "rt/model/joint_builder.h"
#include "rt/model/rules.h"

#include <numbers>

namespace tactus::rt {

Fields ScrewSpec::fields() {
  static constexpr Field kFields[] = {
      field<&ScrewSpec::point_1>("point_1", "Point on body 1.",
                                 {.unit = "m", .range = Range::kFinite, .required = true}),
      field<&ScrewSpec::point_2>("point_2", "Point on body 2.",
                                 {.unit = "m", .range = Range::kFinite, .required = true}),
      field<&ScrewSpec::axis_1>("axis_1", "Axis on body 1.",
                                {.unit = "1", .range = Range::kDirection, .required = true}),
      field<&ScrewSpec::axis_2>("axis_2", "Axis on body 2.",
                                {.unit = "1", .range = Range::kDirection, .required = true}),
      field<&ScrewSpec::pitch>("pitch", "Travel per turn. Below zero: a left-handed thread.",
                               {.unit = "m", .range = Range::kFinite, .rule = "not zero"}),
  };
  return kFields;
}

void check(const ScrewSpec& spec, const JointSpec& joint, const FindingPlace& at) {
  requireSameWay(at, joint, spec.axis_1, spec.axis_2);
  if (spec.pitch == 0) at.error(".pitch", "0", "must not be zero", "a joint without travel is a revolute one");
}

void build(const ScrewSpec& spec, JointBuilder& joint) {
  joint.setPoints(spec.point_1, spec.point_2);
  joint.alignAxes(spec.axis_1, spec.axis_2);
  joint.keepOnLine();
  joint.countAngle(0);
  joint.joint().has_travel = true;
  joint.roll(joint.joint().axis_1, spec.pitch / (2 * std::numbers::pi));
}

}  // namespace tactus::rt
