#include "rt/model/references.h"

#include "rt/model/check_model.h"
#include "rt/model/directions.h"
#include "rt/model/elements/elements.h"
#include "rt/model/model_spec.h"

#include <algorithm>

namespace tactus::rt {
namespace {

template <typename Spec>
constexpr bool hasAngle() {
  if constexpr (requires { Spec::kHasAngle; }) return Spec::kHasAngle;
  return false;
}
template <typename Spec>
constexpr bool hasTravel() {
  if constexpr (requires { Spec::kHasTravel; }) return Spec::kHasTravel;
  return false;
}
template <typename Spec>
constexpr bool hasForceValue() {
  if constexpr (requires { Spec::kHasForceValue; }) return Spec::kHasForceValue;
  return false;
}

/// "prismatic, screw or point_on_line": the kinds of joints for which `has` holds.
template <typename... Specs, typename Has>
std::string kindsThat(std::variant<Specs...>*, Has has) {
  std::vector<std::string> kinds;
  ((has.template operator()<Specs>() ? kinds.emplace_back(Specs::kName) : kinds.emplace_back()), ...);
  std::erase(kinds, std::string());
  std::string text;
  for (std::size_t i = 0; i < kinds.size(); ++i)
    text += (i == 0 ? "" : i + 1 < kinds.size() ? ", " : " or ") + kinds[i];
  return text;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

bool hasAngle(const JointSpec& joint) noexcept {
  return std::visit([]<typename Spec>(const Spec&) { return hasAngle<Spec>(); }, joint.kind);
}

bool hasTravel(const JointSpec& joint) noexcept {
  return std::visit([]<typename Spec>(const Spec&) { return hasTravel<Spec>(); }, joint.kind);
}

std::optional<DeclaredPose> usablePose(const BodySpec& body) {
  if (!body.position.allFinite() || !body.orientation.allFinite()) return std::nullopt;
  if (!(body.orientation.cwiseAbs().maxCoeff() > kShortestDirection)) return std::nullopt;
  return DeclaredPose(body);
}

std::string didYouMean(const std::string& name, const std::vector<std::string>& known, FindingList& out) {
  if (!out.mayLookForNames()) return {};
  const std::string nearest = nearestName(name, known);
  return nearest.empty() ? std::string() : "did you mean \"" + nearest + "\"?";
}

References::References(const ModelSpec& spec) : spec_(spec) {
  for (const BodySpec& body : spec.bodies) {
    body_names_.push_back(body.name);
    bodies_.emplace(body.name, &body);
  }
  bodies_and_ground_ = body_names_;
  bodies_and_ground_.emplace_back(kGroundName);
  for (std::size_t i = 0; i < spec.joints.size(); ++i) {
    const JointSpec& joint = spec.joints[i];
    joint_names_.push_back(joint.name);
    joints_.emplace(joint.name, i);
    if (hasAngle(joint)) angle_names_.push_back(joint.name);
    if (hasTravel(joint)) travel_names_.push_back(joint.name);
  }
  for (const ForceSpec& force : spec.forces)
    if (std::visit([]<typename Spec>(const Spec&) { return hasForceValue<Spec>(); }, force.kind))
      row_force_names_.push_back(force.name);
  for (const DriveSpec& drive : spec.drives) drive_names_.push_back(drive.name);
  for (const RoadSpec& road : spec.roads) road_names_.push_back(road.name);
}

const BodySpec* References::body(const std::string& name) const {
  const auto found = bodies_.find(name);
  return found == bodies_.end() ? nullptr : found->second;
}

const JointSpec* References::joint(const std::string& name) const {
  const auto index = jointIndex(name);
  return index ? &spec_.joints[*index] : nullptr;
}

std::optional<std::size_t> References::jointIndex(const std::string& name) const {
  const auto found = joints_.find(name);
  return found == joints_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<DeclaredPose> References::declaredPose(const std::string& name) const {
  if (name == kGroundName) return DeclaredPose();
  const BodySpec* const found = body(name);
  return found == nullptr ? std::nullopt : usablePose(*found);
}

std::optional<double> References::declaredCosine(const JointSpec& joint, const Vector3d& axis_1,
                                                 const Vector3d& axis_2) const {
  const auto pose_1 = declaredPose(joint.body_1), pose_2 = declaredPose(joint.body_2);
  if (!pose_1 || !pose_2) return std::nullopt;
  for (const Vector3d& axis : {axis_1, axis_2})
    if (!axis.allFinite() || !(axis.cwiseAbs().maxCoeff() > kShortestDirection)) return std::nullopt;
  return (pose_1->rotation * unitVector(axis_1)).dot(pose_2->rotation * unitVector(axis_2));
}

void References::require(Refers what, const std::string& path, const std::string& name, FindingList& out) const {
  const auto named = [&](const Names& known, const char* rule, const char* none = "") {
    if (!contains(known, name))
      out.error(path, printed(name), rule, known.empty() ? none : didYouMean(name, known, out));
  };
  switch (what) {
    case Refers::kNothing: return;
    case Refers::kBody: return requireBody(path, name, false, out);
    case Refers::kBodyOrGround: return requireBody(path, name, true, out);
    case Refers::kJoint:
      if (!jointIndex(name))
        out.error(path, printed(name), "must be the name of a joint", didYouMean(name, joint_names_, out));
      return;
    case Refers::kJointWithAngle:
      return requireDisplacement(
          path, name, angle_names_, "an angle",
          kindsThat(static_cast<JointKinds*>(nullptr), []<typename S>() { return hasAngle<S>(); }), out);
    case Refers::kJointWithTravel:
      return requireDisplacement(
          path, name, travel_names_, "a travel",
          kindsThat(static_cast<JointKinds*>(nullptr), []<typename S>() { return hasTravel<S>(); }), out);
    case Refers::kDrive: return named(drive_names_, "must be the name of a drive");
    case Refers::kRoad: return named(road_names_, "must be the name of a road", "the model has none");
    case Refers::kRowForce: {
      const std::string kinds =
          kindsThat(static_cast<ForceKinds*>(nullptr), []<typename S>() { return hasForceValue<S>(); });
      return named(row_force_names_, ("must be the name of a force element of one row: " + kinds).c_str());
    }
  }
}

void References::requireBody(const std::string& path, const std::string& name, bool with_ground,
                             FindingList& out) const {
  if (body(name) != nullptr || (with_ground && name == kGroundName)) return;
  if (name == kGroundName) {
    out.error(path, printed(name), "must be a body; ground does not move");
    return;
  }
  out.error(path, printed(name),
            with_ground ? kMustNameBody + std::string(" or \"ground\"") : std::string(kMustNameBody),
            didYouMean(name, with_ground ? bodies_and_ground_ : body_names_, out));
}

void References::requireDisplacement(const std::string& path, const std::string& name, const Names& having,
                                     const char* what, const std::string& kinds, FindingList& out) const {
  if (contains(having, name)) return;
  if (joint(name) == nullptr) {
    const std::string hint = didYouMean(name, having, out);
    out.error(path, printed(name), "must be the name of a joint",
              hint.empty() ? didYouMean(name, joint_names_, out) : hint);
  } else {
    out.error(path, printed(name), std::string("must be a joint that has ") + what + ": " + kinds,
              having.empty() ? "the model has no such joint" : didYouMean(name, having, out));
  }
}

}  // namespace tactus::rt
