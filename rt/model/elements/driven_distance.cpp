#include "rt/model/elements/driven_distance.h"

#include "rt/model/joint_builder.h"
#include "rt/model/model_builder.h"
#include "rt/model/model_spec.h"
#include "rt/model/rules.h"

namespace tactus::rt {

Fields DrivenDistanceSpec::fields() {
  static constexpr Field kFields[] = {
      field<&DrivenDistanceSpec::body_1>("body_1", "Name of a body, or \"ground\".", {.refers = Refers::kBodyOrGround}),
      field<&DrivenDistanceSpec::body_2>("body_2", "Name of another body, or \"ground\".",
                                         {.refers = Refers::kBodyOrGround, .rule = "not body_1"}),
      field<&DrivenDistanceSpec::point_1>(
          "point_1", "Point on body 1.",
          {.unit = "m", .range = Range::kFinite, .required = true, .rule = "apart from point_2 in the declared state"}),
      field<&DrivenDistanceSpec::point_2>("point_2", "Point on body 2.",
                                          {.unit = "m", .range = Range::kFinite, .required = true}),
  };
  return kFields;
}

void check(const DrivenDistanceSpec& spec, const FindingPlace& at) {
  requireTwoBodies(at, spec.body_1, spec.body_2);
  requireApart(at, spec.body_1, spec.point_1, spec.body_2, spec.point_2, "");
}

void build(const DrivenDistanceSpec& spec, const DriveSpec& drive, ModelBuilder& builder) {
  JointBuilder row(JointKind::kDrivenDistance, builder.body(spec.body_1), builder.body(spec.body_2), builder);
  row.distanceBetween(spec.point_1, spec.point_2);
  row.setDriven(builder.drive(drive.name));
  row.finish(drive.name, drive.description);
}

}  // namespace tactus::rt
