#include "rt/model/elements/distance.h"

#include "rt/model/joint_builder.h"
#include "rt/model/model_spec.h"
#include "rt/model/rules.h"

namespace tactus::rt {

Fields DistanceSpec::fields() {
  static constexpr Field kFields[] = {
      field<&DistanceSpec::point_1>("point_1", "Point on body 1.",
                                    {.unit = "m", .range = Range::kFinite, .required = true}),
      field<&DistanceSpec::point_2>("point_2", "Point on body 2.",
                                    {.unit = "m", .range = Range::kFinite, .required = true}),
      field<&DistanceSpec::length>(
          "length", "Distance of the points.",
          {.unit = "m", .range = Range::kPositive, .otherwise = "the distance in the declared state"}),
  };
  return kFields;
}

void check(const DistanceSpec& spec, const JointSpec& joint, const FindingPlace& at) {
  requireApart(at, joint.body_1, spec.point_1, joint.body_2, spec.point_2,
               "use a spherical joint for points that coincide");
}

void build(const DistanceSpec& spec, JointBuilder& joint) {
  joint.setPoints(spec.point_1, spec.point_2);
  joint.add(PrimitiveKind::kDistance, spec.point_1, spec.point_2, Vector3d::Zero(), Vector3d::Zero(),
            spec.length.value_or(joint.declaredDistance(spec.point_1, spec.point_2)));
}

}  // namespace tactus::rt
