#include "rt/model/elements/point_on_line.h"

#include "rt/model/directions.h"
#include "rt/model/joint_builder.h"

namespace tactus::rt {

Fields PointOnLineSpec::fields() {
  static constexpr Field kFields[] = {
      field<&PointOnLineSpec::axis_1>("axis_1", "Direction of the line, on body 1.",
                                      {.unit = "1", .range = Range::kDirection, .required = true}),
      field<&PointOnLineSpec::point_1>("point_1", "Point on body 1.",
                                       {.unit = "m", .range = Range::kFinite, .required = true}),
      field<&PointOnLineSpec::point_2>("point_2", "Point on body 2.",
                                       {.unit = "m", .range = Range::kFinite, .required = true}),
  };
  return kFields;
}

void build(const PointOnLineSpec& spec, JointBuilder& joint) {
  joint.setPoints(spec.point_1, spec.point_2);
  joint.joint().axis_1 = unitVector(spec.axis_1);
  joint.keepOnLine();
  joint.joint().has_travel = true;
}

}  // namespace tactus::rt
