#include "rt/model/elements/driven_angle.h"

#include "rt/model/joint_builder.h"
#include "rt/model/model_builder.h"
#include "rt/model/model_spec.h"

namespace tactus::rt {

Fields DrivenAngleSpec::fields() {
  static constexpr Field kFields[] = {
      field<&DrivenAngleSpec::joint>("joint", "Name of a joint with an angle.",
                                     {.refers = Refers::kJointWithAngle,
                                      .rule = "one drive for each angle; a screw has one for angle and travel"}),
  };
  return kFields;
}

void build(const DrivenAngleSpec& spec, const DriveSpec& drive, ModelBuilder& builder) {
  const Joint target = builder.model().joints[static_cast<std::size_t>(builder.row(spec.joint))];
  JointBuilder row(JointKind::kDrivenAngle, target.body_1, target.body_2, builder);
  row.angleOf(target);
  row.setDriven(builder.drive(drive.name));
  row.finish(drive.name, drive.description);
}

}  // namespace tactus::rt
