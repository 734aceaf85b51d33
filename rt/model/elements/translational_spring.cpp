#include "rt/model/elements/translational_spring.h"

#include "rt/model/joint_builder.h"
#include "rt/model/model_builder.h"
#include "rt/model/model_spec.h"
#include "rt/model/rules.h"

namespace tactus::rt {

Fields TranslationalSpringSpec::fields() {
  static constexpr Field kFields[] = {
      field<&TranslationalSpringSpec::body_1>("body_1", "Name of a body, or \"ground\".",
                                              {.refers = Refers::kBodyOrGround}),
      field<&TranslationalSpringSpec::body_2>("body_2", "Name of another body, or \"ground\".",
                                              {.refers = Refers::kBodyOrGround, .rule = "not body_1"}),
      field<&TranslationalSpringSpec::point_1>(
          "point_1", "Point on body 1.",
          {.unit = "m", .range = Range::kFinite, .required = true, .rule = "apart from point_2 in the declared state"}),
      field<&TranslationalSpringSpec::point_2>("point_2", "Point on body 2.",
                                               {.unit = "m", .range = Range::kFinite, .required = true}),
      field<&TranslationalSpringSpec::stiffness>("stiffness", "Tension per elongation.",
                                                 {.unit = "N/m", .range = Range::kNotNegative}),
      field<&TranslationalSpringSpec::damping>("damping", "Tension per rate of the length.",
                                               {.unit = "N s/m", .range = Range::kNotNegative}),
      field<&TranslationalSpringSpec::free_length>(
          "free_length", "Length without elastic force.",
          {.unit = "m", .range = Range::kPositive, .otherwise = "the distance in the declared state"}),
      field<&TranslationalSpringSpec::preload>("preload", "Tension at the free length and at rest.",
                                               {.unit = "N", .range = Range::kFinite}),
      part<&TranslationalSpringSpec::law>(),
  };
  return kFields;
}

void check(const TranslationalSpringSpec& spec, const FindingPlace& at) {
  requireTwoBodies(at, spec.body_1, spec.body_2);
  checkSpring(at, spec.law, spec.stiffness, spec.damping);
  requireApart(at, spec.body_1, spec.point_1, spec.body_2, spec.point_2, "use a bushing for points that coincide");
}

void build(const TranslationalSpringSpec& spec, const ForceSpec& force, ModelBuilder& builder) {
  JointBuilder row(JointKind::kTranslationalSpring, builder.body(spec.body_1), builder.body(spec.body_2), builder);
  row.distanceBetween(spec.point_1, spec.point_2);
  CompliantLaw law;
  law.rows = 1;
  law.K(0, 0) = spec.stiffness;
  law.C(0, 0) = spec.damping;
  law.rest[0] = spec.free_length.value_or(row.declaredDistance(spec.point_1, spec.point_2));
  law.preload[0] = spec.preload;
  takeSpringLaw(spec.law, law, builder.model());
  row.setCompliant(law);
  row.finish(force.name, force.description);
}

}  // namespace tactus::rt
