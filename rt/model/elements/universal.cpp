#include "rt/model/elements/universal.h"

#include "rt/model/directions.h"
#include "rt/model/joint_builder.h"
#include "rt/model/rules.h"

#include <cmath>

namespace tactus::rt {

Fields UniversalSpec::fields() {
  static constexpr Field kFields[] = {
      field<&UniversalSpec::point_1>("point_1", "Point on body 1.",
                                     {.unit = "m", .range = Range::kFinite, .required = true}),
      field<&UniversalSpec::point_2>("point_2", "Point on body 2.",
                                     {.unit = "m", .range = Range::kFinite, .required = true}),
      field<&UniversalSpec::axis_1>("axis_1", "Axis of the cross on body 1.",
                                    {.unit = "1", .range = Range::kDirection, .required = true}),
      field<&UniversalSpec::axis_2>("axis_2", "Axis of the cross on body 2.",
                                    {.unit = "1", .range = Range::kDirection, .required = true}),
  };
  return kFields;
}

void check(const UniversalSpec& spec, const JointSpec& joint, const FindingPlace& at) {
  constexpr double kParallel = 0.99;  // the row vanishes where the axes are parallel
  const auto cosine = at.references.declaredCosine(joint, spec.axis_1, spec.axis_2);
  if (cosine && std::abs(*cosine) > kParallel)
    at.error(".axis_2", printed(spec.axis_2), "must be across axis_1 in the declared state, not parallel to it",
             "the axes are those of the cross: one fixed in each body, perpendicular to each other");
}

void build(const UniversalSpec& spec, JointBuilder& joint) {
  joint.holdPoint(spec.point_1, spec.point_2);
  joint.keepPerpendicular(unitVector(spec.axis_1), unitVector(spec.axis_2));
}

}  // namespace tactus::rt
