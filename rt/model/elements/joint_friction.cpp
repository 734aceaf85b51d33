#include "rt/model/elements/joint_friction.h"

#include "rt/model/model_builder.h"
#include "rt/model/model_spec.h"
#include "rt/model/rules.h"

namespace tactus::rt {

Fields JointFrictionSpec::fields() {
  static constexpr Field kFields[] = {
      field<&JointFrictionSpec::joint>("joint", "Name of a joint.",
                                       {.rule = "a joint with an angle, or with a travel if along_axis"}),
      field<&JointFrictionSpec::limit>("limit",
                                       "Torque about the axis of the joint, or force along it, at which it slides.",
                                       {.unit = "N m or N", .range = Range::kPositive}),
      field<&JointFrictionSpec::elastic>("elastic", "Displacement by which it deforms before it slides.",
                                         {.unit = "rad or m", .range = Range::kPositive}),
      field<&JointFrictionSpec::along_axis>("along_axis", "Acts on the travel of the joint and not on its angle."),
  };
  return kFields;
}

void check(const JointFrictionSpec& spec, const FindingPlace& at) {
  at.references.require(spec.along_axis ? Refers::kJointWithTravel : Refers::kJointWithAngle, at.path + ".joint",
                        spec.joint, at.out);
}

void build(const JointFrictionSpec& spec, const ForceSpec& force, ModelBuilder& builder) {
  builder.append({builder.row(spec.joint),
                  spec.limit,
                  spec.limit / spec.elastic,
                  spec.along_axis,
                  false,
                  {},
                  builder.takeInternalStates(1)},
                 force.name);
}

}  // namespace tactus::rt
