#include "rt/model/elements/rotational_spring.h"

#include "rt/model/joint_builder.h"
#include "rt/model/model_builder.h"
#include "rt/model/model_spec.h"
#include "rt/model/rules.h"

namespace tactus::rt {

Fields RotationalSpringSpec::fields() {
  static constexpr Field kFields[] = {
      field<&RotationalSpringSpec::joint>("joint", "Name of a joint with an angle.",
                                          {.refers = Refers::kJointWithAngle}),
      field<&RotationalSpringSpec::stiffness>("stiffness", "Torque per angle.",
                                              {.unit = "N m/rad", .range = Range::kNotNegative}),
      field<&RotationalSpringSpec::damping>("damping", "Torque per rate of the angle.",
                                            {.unit = "N m s/rad", .range = Range::kNotNegative}),
      field<&RotationalSpringSpec::free_angle>("free_angle", "Angle without elastic torque.",
                                               {.unit = "rad", .range = Range::kFinite}),
      field<&RotationalSpringSpec::preload>("preload", "Torque at the free angle and at rest.",
                                            {.unit = "N m", .range = Range::kFinite}),
      part<&RotationalSpringSpec::law>(),
  };
  return kFields;
}

void check(const RotationalSpringSpec& spec, const FindingPlace& at) {
  checkSpring(at, spec.law, spec.stiffness, spec.damping);
}

void build(const RotationalSpringSpec& spec, const ForceSpec& force, ModelBuilder& builder) {
  const Joint target = builder.model().joints[static_cast<std::size_t>(builder.row(spec.joint))];
  JointBuilder row(JointKind::kRotationalSpring, target.body_1, target.body_2, builder);
  row.angleOf(target);
  CompliantLaw law;
  law.rows = 1;
  law.K(0, 0) = spec.stiffness;
  law.C(0, 0) = spec.damping;
  law.rest[0] = spec.free_angle;
  law.preload[0] = spec.preload;
  takeSpringLaw(spec.law, law, builder.model());
  row.setCompliant(law);
  row.finish(force.name, force.description);
}

}  // namespace tactus::rt
