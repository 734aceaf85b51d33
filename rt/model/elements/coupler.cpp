#include "rt/model/elements/coupler.h"

#include "rt/model/model_builder.h"
#include "rt/model/model_spec.h"
#include "rt/model/rules.h"

#include <Eigen/Geometry>

#include <set>
#include <utility>

namespace tactus::rt {
namespace {

/// Displacements of one coupler.
constexpr std::size_t kMaxCoupled = 3;

/// ratio times the displacement of a joint less that in the declared state, as a primitive of that joint's bodies.
Primitive termOf(const CoupledCoordinateSpec& spec, const Joint& target, int row, const DeclaredPose& pose_1,
                 const DeclaredPose& pose_2) {
  Primitive term{PrimitiveKind::kRolling, target.body_1, target.body_2, row, target.point_1,
                 target.point_2,          target.axis_1, target.axis_2, 0};
  term.b_1 = target.zero_1;
  term.b_2 = target.zero_2;
  if (spec.along_axis) {
    term.t_1 = spec.ratio * target.axis_1;
    term.length = (pose_1.rotation * term.t_1).dot(pose_2.toWorld(term.s_2) - pose_1.toWorld(term.s_1));
    return term;
  }
  // Turned back by the initial angle, the zero direction gives the joint's own angle, which the displacement continues.
  term.b_1 = Eigen::AngleAxisd(-target.initial_angle, target.axis_1) * target.zero_1;
  term.rho_1 = -spec.ratio;
  term.length = spec.ratio * target.initial_angle;
  term.displacement = target.displacement;
  return term;
}

}  // namespace

Fields CoupledCoordinateSpec::fields() {
  static constexpr Field kFields[] = {
      field<&CoupledCoordinateSpec::joint>(
          "joint", "Name of a joint that is declared before the coupler; not a part of a composite.",
          {.rule = "a joint with an angle, or with a travel if along_axis"}),
      field<&CoupledCoordinateSpec::ratio>("ratio", "Ratio. All products of ratio and displacement have one unit.",
                                           {.unit = "1, m/rad or rad/m", .range = Range::kFinite, .rule = "not zero"}),
      field<&CoupledCoordinateSpec::along_axis>("along_axis", "Couples the travel of the joint and not its angle."),
  };
  return kFields;
}

Fields CouplerSpec::fields() {
  static constexpr Field kFields[] = {
      field<&CouplerSpec::coordinates>("coordinates", "Displacements of the joints, with their ratios.",
                                       {.rule = "2 or 3"}),
  };
  return kFields;
}

void check(const CouplerSpec& spec, const JointSpec& joint, const FindingPlace& at) {
  const std::pair<const char*, const std::string&> bodies[] = {{".body_1", joint.body_1}, {".body_2", joint.body_2}};
  const std::string of_joint = at.path.substr(0, at.path.rfind('.'));
  for (const auto& [field, name] : bodies)
    if (!name.empty())
      at.out.error(of_joint + field, printed(name), "must be left out of a coupler",
                   "its bodies are those of its joints");
  if (spec.coordinates.size() < 2 || spec.coordinates.size() > kMaxCoupled)
    at.error(".coordinates", std::to_string(spec.coordinates.size()) + " elements", "must be 2 or 3 elements");
  const auto self = at.references.jointIndex(joint.name);
  std::set<std::pair<std::string, bool>> coupled;
  for (std::size_t i = 0; i < spec.coordinates.size(); ++i) {
    const CoupledCoordinateSpec& c = spec.coordinates[i];
    const std::string of_element = '.' + element("coordinates", i);
    at.references.require(c.along_axis ? Refers::kJointWithTravel : Refers::kJointWithAngle,
                          at.path + of_element + ".joint", c.joint, at.out);
    const JointSpec* target = at.references.joint(c.joint);
    const bool fits = target != nullptr && (c.along_axis ? hasTravel(*target) : hasAngle(*target));
    if (fits && self && *at.references.jointIndex(c.joint) > *self) {
      // Only names of parts have a dot.
      if (c.joint.find('.') != std::string::npos)
        at.error(of_element + ".joint", printed(c.joint), "must be a joint of the model, not a part of a composite",
                 "a coupler of parts needs them as bodies and joints of the model");
      else
        at.error(of_element + ".joint", printed(c.joint), "must be declared before the coupler");
    }
    if (!coupled.emplace(c.joint, c.along_axis).second)
      at.error(of_element + ".joint", printed(c.joint), "must be coupled once", "ratios of one displacement add up");
    if (c.ratio == 0) at.error(of_element + ".ratio", "0", "must be given, not zero");
  }
}

void build(const CouplerSpec& spec, const JointSpec& declared, ModelBuilder& builder) {
  Model& model = builder.model();
  std::vector<int> targets;
  for (const CoupledCoordinateSpec& c : spec.coordinates) targets.push_back(builder.row(c.joint));
  const Joint& first = model.joints[static_cast<std::size_t>(targets.front())];
  const Vector3d point_1 = first.point_1, point_2 = first.point_2;
  std::vector<Primitive> terms;
  for (std::size_t k = 0; k < targets.size(); ++k) {
    const Joint& target = model.joints[static_cast<std::size_t>(targets[k])];
    terms.push_back(
        termOf(spec.coordinates[k], target, model.rows, builder.pose(target.body_1), builder.pose(target.body_2)));
  }
  builder.append(JointKind::kCoupler, point_1, point_2, std::move(terms), -1, declared.name, declared.description);
}

}  // namespace tactus::rt
