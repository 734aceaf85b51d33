#include "rt/model/elements/spherical.h"

#include "rt/model/joint_builder.h"

namespace tactus::rt {

Fields SphericalSpec::fields() {
  static constexpr Field kFields[] = {
      field<&SphericalSpec::point_1>("point_1", "Point on body 1.",
                                     {.unit = "m", .range = Range::kFinite, .required = true}),
      field<&SphericalSpec::point_2>("point_2", "Point on body 2.",
                                     {.unit = "m", .range = Range::kFinite, .required = true}),
  };
  return kFields;
}

void build(const SphericalSpec& spec, JointBuilder& joint) {
  joint.holdPoint(spec.point_1, spec.point_2);
}

}  // namespace tactus::rt
