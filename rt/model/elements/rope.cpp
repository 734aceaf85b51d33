#include "rt/model/elements/rope.h"

#include "rt/model/elements/spring_law.h"
#include "rt/model/model_builder.h"
#include "rt/model/model_spec.h"
#include "rt/model/rules.h"

#include <utility>

namespace tactus::rt {

static_assert(kMaxRopePoints == kMaxTerms + 1);

Fields RopePointSpec::fields() {
  static constexpr Field kFields[] = {
      field<&RopePointSpec::body>("body", "Name of a body, or \"ground\".",
                                  {.refers = Refers::kBodyOrGround, .rule = "not that of the point before"}),
      field<&RopePointSpec::point>("point", "Point on the body.",
                                   {.unit = "m",
                                    .range = Range::kFinite,
                                    .required = true,
                                    .rule = "apart from the point before in the declared state"}),
  };
  return kFields;
}

Fields RopeSpec::fields() {
  static constexpr Field kFields[] = {
      field<&RopeSpec::points>("points", "Points from end to end; the rope runs over those between without friction.",
                               {.rule = "2 to 16"}),
      field<&RopeSpec::stiffness>("stiffness", "Tension per elongation of the whole rope: E A over its free length.",
                                  {.unit = "N/m", .range = Range::kPositive}),
      field<&RopeSpec::damping>("damping", "Tension per rate of the length.",
                                {.unit = "N s/m", .range = Range::kNotNegative}),
      field<&RopeSpec::free_length>(
          "free_length", "Length below which the rope is slack.",
          {.unit = "m", .range = Range::kPositive, .otherwise = "the length in the declared state"}),
  };
  return kFields;
}

void check(const RopeSpec& spec, const FindingPlace& at) {
  const std::size_t count = spec.points.size();
  if (count < 2 || count > kMaxRopePoints)
    at.error(".points", std::to_string(count) + " elements",
             "must be 2 to " + std::to_string(kMaxRopePoints) + " elements");
  for (std::size_t i = 1; i < count; ++i) {
    const RopePointSpec &from = spec.points[i - 1], &to = spec.points[i];
    const FindingPlace of_point = at.within('.' + element("points", i));
    if (from.body == to.body && !to.body.empty())
      of_point.error(".body", printed(to.body), "must differ from the body of the point before",
                     "a part of a rope between two points of one body has no effect");
    else
      requireApart(of_point, from.body, from.point, to.body, to.point, "leave one of the two points out");
  }
}

void build(const RopeSpec& spec, const ForceSpec& force, ModelBuilder& builder) {
  Model& model = builder.model();
  double declared = 0;
  std::vector<Primitive> terms;
  const Vector3d none = Vector3d::Zero();
  for (std::size_t i = 1; i < spec.points.size(); ++i) {
    const RopePointSpec &from = spec.points[i - 1], &to = spec.points[i];
    const int body_1 = builder.body(from.body), body_2 = builder.body(to.body);
    terms.push_back({PrimitiveKind::kLength, body_1, body_2, model.rows, from.point, to.point, none, none, 0});
    declared += (builder.pose(body_2).toWorld(to.point) - builder.pose(body_1).toWorld(from.point)).norm();
  }

  CompliantLaw law;
  law.rows = 1;
  law.K(0, 0) = spec.stiffness;
  law.C(0, 0) = spec.damping;
  law.rest[0] = spec.free_length.value_or(declared);
  SpringLawSpec pulls;
  pulls.only = SpringSide::kPull;
  takeSpringLaw(pulls, law, model);
  model.compliant_laws.push_back(law);
  builder.append(JointKind{RopeSpec::kNumber}, spec.points[0].point, spec.points[1].point, std::move(terms),
                 static_cast<int>(model.compliant_laws.size()) - 1, force.name, force.description);
}

}  // namespace tactus::rt
