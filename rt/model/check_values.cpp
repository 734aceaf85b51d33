// Rules on single values and on references: used by the rules of every element.
#include "rt/model/check_model.h"
#include "rt/model/directions.h"
#include "rt/model/rules.h"

#include <algorithm>
#include <cmath>

namespace tactus::rt::rules {
namespace {

std::string didYouMean(const std::string& name, const std::vector<std::string>& known) {
  const std::string nearest = nearestName(name, known);
  return nearest.empty() ? std::string() : "did you mean \"" + nearest + "\"?";
}

}  // namespace

References::References(const ModelSpec& spec) {
  for (const BodySpec& body : spec.bodies) {
    body_names_.push_back(body.name);
    bodies_.emplace(body.name, &body);
  }
  for (const JointSpec& joint : spec.joints) {
    joint_names_.push_back(joint.name);
    joints_.emplace(joint.name, &joint);
    if (hasAngle(joint)) angle_names_.push_back(joint.name);
    if (hasTravel(joint)) travel_names_.push_back(joint.name);
  }
  for (const ForceSpec& force : spec.forces)
    if (std::holds_alternative<TranslationalSpringSpec>(force.kind) ||
        std::holds_alternative<RotationalSpringSpec>(force.kind) ||
        std::holds_alternative<VerticalTyreSpec>(force.kind))
      row_force_names_.push_back(force.name);
  for (const DriveSpec& drive : spec.drives) drive_names_.push_back(drive.name);
  for (const RoadSpec& road : spec.roads) {
    road_names_.push_back(road.name);
    roads_.emplace(road.name, &road);
  }
}

std::optional<DeclaredPose> References::declaredPose(const std::string& name) const {
  if (name == kGroundName) return DeclaredPose();
  const BodySpec* found = body(name);
  if (found == nullptr || !found->position.allFinite() || !found->orientation.allFinite()) return std::nullopt;
  if (!(found->orientation.cwiseAbs().maxCoeff() > kShortestDirection)) return std::nullopt;
  return DeclaredPose(*found);
}

std::optional<double> References::declaredDistance(const std::string& body_1, const Vector3d& point_1,
                                                   const std::string& body_2, const Vector3d& point_2) const {
  const auto pose_1 = declaredPose(body_1), pose_2 = declaredPose(body_2);
  if (!pose_1 || !pose_2) return std::nullopt;
  return (pose_2->toWorld(point_2) - pose_1->toWorld(point_1)).norm();
}

void References::requireDrive(const std::string& path, const std::string& name, FindingList& out) const {
  if (std::find(drive_names_.begin(), drive_names_.end(), name) == drive_names_.end())
    out.error(path, printed(name), "must be the name of a drive", didYouMean(name, drive_names_));
}

const BodySpec* References::body(const std::string& name) const {
  const auto found = bodies_.find(name);
  return found == bodies_.end() ? nullptr : found->second;
}

const JointSpec* References::joint(const std::string& name) const {
  const auto found = joints_.find(name);
  return found == joints_.end() ? nullptr : found->second;
}

const RoadSpec* References::road(const std::string& name) const {
  const auto found = roads_.find(name);
  return found == roads_.end() ? nullptr : found->second;
}

void References::requireBody(const std::string& path, const std::string& name, bool with_ground,
                             FindingList& out) const {
  if (body(name) != nullptr || (with_ground && name == kGroundName)) return;
  if (name == kGroundName) {
    out.error(path, printed(name), "must be a body; ground does not move");
    return;
  }
  std::vector<std::string> known = body_names_;
  if (with_ground) known.emplace_back(kGroundName);
  out.error(path, printed(name),
            with_ground ? "must be the name of a body or \"ground\"" : "must be the name of a body",
            didYouMean(name, known));
}

void References::requireRoad(const std::string& path, const std::string& name, FindingList& out) const {
  if (std::find(road_names_.begin(), road_names_.end(), name) != road_names_.end()) return;
  out.error(path, printed(name), "must be the name of a road",
            road_names_.empty() ? "the model has none" : didYouMean(name, road_names_));
}

void References::requireCoordinate(const std::string& path, const std::string& name,
                                   const std::vector<std::string>& having, const char* rule, const char* none,
                                   FindingList& out) const {
  if (std::find(having.begin(), having.end(), name) != having.end()) return;
  if (joint(name) == nullptr) {
    const std::string hint = didYouMean(name, having);
    out.error(path, printed(name), "must be the name of a joint", hint.empty() ? didYouMean(name, joint_names_) : hint);
  } else {
    out.error(path, printed(name), rule, having.empty() ? none : didYouMean(name, having));
  }
}

void References::requireAngle(const std::string& path, const std::string& name, FindingList& out) const {
  requireCoordinate(path, name, angle_names_,
                    "must be a joint that has an angle: revolute, cylindrical, planar, screw or rack_and_pinion",
                    "the model has no such joint", out);
}

void References::requireTravel(const std::string& path, const std::string& name, FindingList& out) const {
  requireCoordinate(path, name, travel_names_,
                    "must be a joint that has a travel: prismatic, cylindrical, screw or point_on_line",
                    "the model has no such joint", out);
}

void References::requireJoint(const std::string& path, const std::string& name, FindingList& out) const {
  if (joint(name) == nullptr)
    out.error(path, printed(name), "must be the name of a joint", didYouMean(name, joint_names_));
}

void References::requireRowForce(const std::string& path, const std::string& name, FindingList& out) const {
  if (std::find(row_force_names_.begin(), row_force_names_.end(), name) == row_force_names_.end())
    out.error(path, printed(name), "must be the name of a spring or a tyre", didYouMean(name, row_force_names_));
}

bool requireFinite(const std::string& path, double value, FindingList& out) {
  if (std::isfinite(value)) return true;
  out.error(path, printed(value), "must be a finite number");
  return false;
}

bool requireFinite(const std::string& path, const Vector3d& value, FindingList& out) {
  if (value.allFinite()) return true;
  out.error(path, printed(value), "must be finite numbers");
  return false;
}

void requirePositive(const std::string& path, double value, FindingList& out) {
  if (!(std::isfinite(value) && value > 0)) out.error(path, printed(value), "must be finite and above zero");
}

void requireNotNegative(const std::string& path, double value, FindingList& out) {
  if (requireFinite(path, value, out) && value < 0) out.error(path, printed(value), "must not be below zero");
}

void requireWithin(const std::string& path, double value, double low, double high, FindingList& out) {
  if (!(value >= low && value <= high))
    out.error(path, printed(value), "must be from " + printed(low) + " to " + printed(high));
}

void requireDirection(const std::string& path, const Vector3d& value, FindingList& out) {
  if (!requireFinite(path, value, out)) return;
  if (!(value.cwiseAbs().maxCoeff() > kShortestDirection))
    out.error(path, printed(value), "must be a direction: not of zero length");
}

void requireUnitQuaternion(const std::string& path, const Vector4d& value, FindingList& out) {
  if (!value.allFinite()) {
    out.error(path, printed(value), "must be finite numbers");
    return;
  }
  const double norm = value.stableNorm();
  if (std::abs(norm - 1) <= 1e-6) return;
  const bool has_direction = value.cwiseAbs().maxCoeff() > kShortestDirection;
  out.error(path, printed(value),
            "must be a unit quaternion [e0, e1, e2, e3], scalar first; its norm is " + printed(norm),
            has_direction ? "normalised it is " + printed(unitVector(value)) : "no rotation is [1, 0, 0, 0]");
}

}  // namespace tactus::rt::rules
