#include "rt/model/elements/driven_travel.h"

#include "rt/model/joint_builder.h"
#include "rt/model/model_builder.h"
#include "rt/model/model_spec.h"

namespace tactus::rt {

Fields DrivenTravelSpec::fields() {
  static constexpr Field kFields[] = {
      field<&DrivenTravelSpec::joint>("joint", "Name of a joint with a travel.",
                                      {.refers = Refers::kJointWithTravel,
                                       .rule = "one drive for each travel; a screw has one for angle and travel"}),
  };
  return kFields;
}

void build(const DrivenTravelSpec& spec, const DriveSpec& drive, ModelBuilder& builder) {
  const Joint target = builder.model().joints[static_cast<std::size_t>(builder.row(spec.joint))];
  JointBuilder row(JointKind::kDrivenTravel, target.body_1, target.body_2, builder);
  row.joint().axis_1 = target.axis_1;
  row.setPoints(target.point_1, target.point_2);
  row.keepInPlane(target.axis_1);
  row.setDriven(builder.drive(drive.name));
  row.finish(drive.name, drive.description);
}

}  // namespace tactus::rt
