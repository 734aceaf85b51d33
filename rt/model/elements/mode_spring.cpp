#include "rt/model/elements/mode_spring.h"

#include "rt/math/euler_parameters.h"
#include "rt/model/directions.h"
#include "rt/model/model_builder.h"
#include "rt/model/model_spec.h"
#include "rt/model/rules.h"

#include <Eigen/Geometry>

#include <utility>

namespace tactus::rt {

static_assert(2 * kMaxModeSpringParts <= kMaxTerms);

Fields ModeSpringPartSpec::fields() {
  static constexpr Field kFields[] = {
      field<&ModeSpringPartSpec::body>("body", "Name of a body.",
                                       {.refers = Refers::kBody, .rule = "not the reference body; once"}),
      field<&ModeSpringPartSpec::reference_point>("reference_point", "Point on the reference body.",
                                                  {.unit = "m", .range = Range::kFinite}),
      field<&ModeSpringPartSpec::point>("point", "Point on the part.", {.unit = "m", .range = Range::kFinite}),
      field<&ModeSpringPartSpec::translation>("translation",
                                              "Weights of the displacement of the point, axes of the reference body.",
                                              {.unit = "1", .range = Range::kFinite}),
      field<&ModeSpringPartSpec::rotation>(
          "rotation", "Weights of the rotation about the axes of the reference body.",
          {.unit = "m/rad", .range = Range::kFinite, .rule = "not zero where translation is zero"}),
  };
  return kFields;
}

Fields ModeSpringSpec::fields() {
  static constexpr Field kFields[] = {
      field<&ModeSpringSpec::body>("body", "Name of the reference body.", {.refers = Refers::kBody}),
      field<&ModeSpringSpec::parts>("parts", "Bodies whose displacements count.", {.rule = "1 to 7"}),
      field<&ModeSpringSpec::stiffness>("stiffness", "Force per weighted displacement.",
                                        {.unit = "N/m, N m/rad", .range = Range::kPositive}),
      field<&ModeSpringSpec::damping>("damping", "Force per rate of the weighted displacement.",
                                      {.unit = "N s/m, N m s/rad", .range = Range::kNotNegative}),
  };
  return kFields;
}

namespace {

/// The terms of one part: the displacement as a dot-2 row, the rotation as a twist row, both with the weights as the
/// lengths of their directions.
void addTerms(const ModeSpringPartSpec& part, int body, int of_part, const ModelBuilder& builder, int row,
              std::vector<Primitive>& terms) {
  const Vector3d none = Vector3d::Zero();
  if (!part.translation.isZero(0))
    terms.push_back(
        {PrimitiveKind::kDot2, body, of_part, row, part.reference_point, part.point, part.translation, none, 0});
  if (part.rotation.isZero(0)) return;
  const double weight = part.rotation.norm();
  const Vector3d axis = part.rotation / weight, next = perpendicularTo(axis), last = axis.cross(next);
  const Matrix3d to_part = builder.pose(of_part).rotation.transpose() * builder.pose(body).rotation;
  Primitive twist{PrimitiveKind::kTwist, body, of_part, row, none, none, weight * last, to_part * next, 0};
  twist.b_1 = weight * next;
  twist.b_2 = to_part * last;
  terms.push_back(twist);
}

/// The weighted sum in the declared state, in which no part has turned.
double declaredSum(const ModeSpringSpec& spec, const ModelBuilder& builder) {
  const DeclaredPose& pose = builder.pose(builder.body(spec.body));
  double sum = 0;
  for (const ModeSpringPartSpec& part : spec.parts) {
    const Vector3d point = builder.pose(builder.body(part.body)).toWorld(part.point);
    sum += part.translation.dot(pose.rotation.transpose() * (point - pose.toWorld(part.reference_point)));
  }
  return sum;
}

}  // namespace

void check(const ModeSpringSpec& spec, const FindingPlace& at) {
  if (spec.parts.empty() || spec.parts.size() > kMaxModeSpringParts)
    at.error(".parts", std::to_string(spec.parts.size()) + " elements",
             "must be 1 to " + std::to_string(kMaxModeSpringParts) + " elements");
  for (std::size_t i = 0; i < spec.parts.size(); ++i) {
    const ModeSpringPartSpec& part = spec.parts[i];
    const FindingPlace of_part = at.within('.' + element("parts", i));
    bool known = part.body == spec.body;
    for (std::size_t k = 0; k < i; ++k) known = known || spec.parts[k].body == part.body;
    if (known && !part.body.empty())
      of_part.error(".body", printed(part.body), "must be neither the reference body nor a part before",
                    "add the weights of parts of one body");
    if (part.translation.isZero(0) && part.rotation.isZero(0))
      of_part.error(".rotation", printed(part.rotation), "must not be zero where translation is zero",
                    "leave the part out");
  }
}

void build(const ModeSpringSpec& spec, const ForceSpec& force, ModelBuilder& builder) {
  Model& model = builder.model();
  const int body = builder.body(spec.body);
  std::vector<Primitive> terms;
  for (const ModeSpringPartSpec& part : spec.parts)
    addTerms(part, body, builder.body(part.body), builder, model.rows, terms);

  CompliantLaw law;
  law.rows = 1;
  law.K(0, 0) = spec.stiffness;
  law.C(0, 0) = spec.damping;
  law.rest[0] = declaredSum(spec, builder);
  model.compliant_laws.push_back(law);
  builder.append(JointKind{ModeSpringSpec::kNumber}, spec.parts[0].reference_point, spec.parts[0].point,
                 std::move(terms), static_cast<int>(model.compliant_laws.size()) - 1, force.name, force.description);
}

}  // namespace tactus::rt
