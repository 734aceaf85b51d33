// Rules on joints.
#include "rt/model/directions.h"
#include "rt/model/joint_builder.h"
#include "rt/model/rules.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace tactus::rt::rules {
namespace {

void checkBodiesDiffer(const std::string& path, const JointSpec& joint, FindingList& out) {
  if (joint.body_1 != joint.body_2 || joint.body_1.empty()) return;
  if (joint.body_1 == kGroundName)
    out.error(path + ".body_2", printed(joint.body_2), "must be a body: a joint cannot hold ground on ground");
  else
    out.error(path + ".body_2", printed(joint.body_2), "must differ from body_1");
}

void checkDistanceApart(const std::string& path, const JointSpec& joint, const DistanceSpec& distance,
                        const References& references, FindingList& out) {
  if (!distance.point_1.allFinite() || !distance.point_2.allFinite()) return;
  const auto apart = references.declaredDistance(joint.body_1, distance.point_1, joint.body_2, distance.point_2);
  if (apart && !(*apart > kNearestPoints))
    out.error(path, "points " + printed(*apart) + " m apart", "must have its points apart in the declared state",
              "use a spherical joint for points that coincide");
}

/// Cosine of the angle between both axes in the declared state; none if it is not defined.
template <typename Spec>
std::optional<double> declaredCosine(const JointSpec& joint, const Spec& s, const References& references) {
  const auto pose_1 = references.declaredPose(joint.body_1);
  const auto pose_2 = references.declaredPose(joint.body_2);
  if (!pose_1 || !pose_2) return std::nullopt;
  for (const Vector3d& axis : {s.axis_1, s.axis_2})
    if (!axis.allFinite() || !(axis.cwiseAbs().maxCoeff() > kShortestDirection)) return std::nullopt;
  return (pose_1->rotation * unitVector(s.axis_1)).dot(pose_2->rotation * unitVector(s.axis_2));
}

/// Antiparallel axes satisfy the rows, but the angle and the torque would have two signs.
template <typename Spec>
void checkAxesAgree(const std::string& path, const JointSpec& joint, const Spec& s, const References& references,
                    FindingList& out) {
  const auto cosine = declaredCosine(joint, s, references);
  if (cosine && *cosine < 0)
    out.error(path + ".axis_2", printed(s.axis_2), "must point the same way as axis_1 in the declared state",
              "turn it round: " + printed(Vector3d(Vector3d::Zero() - s.axis_2)));
}

/// The row that keeps two axes perpendicular vanishes where they are parallel.
void checkAxesCross(const std::string& path, const JointSpec& joint, const UniversalSpec& s,
                    const References& references, FindingList& out) {
  constexpr double kParallel = 0.99;
  const auto cosine = declaredCosine(joint, s, references);
  if (cosine && std::abs(*cosine) > kParallel)
    out.error(path + ".axis_2", printed(s.axis_2), "must be across axis_1 in the declared state",
              "the axes are those of the cross: one fixed in each body, perpendicular to each other");
}

/// The pitch circles touch in the declared state.
void checkGearCentres(const std::string& path, const JointSpec& joint, const GearSpec& s, const References& references,
                      FindingList& out) {
  constexpr double kTouching = 1e-3;  // of the larger radius
  if (s.internal && !(s.radius_2 > s.radius_1))
    out.error(path + ".radius_2", printed(s.radius_2),
              "must be above radius_1 of an internal gear: body 2 is the ring");
  const auto pose_1 = references.declaredPose(joint.body_1), pose_2 = references.declaredPose(joint.body_2);
  if (!pose_1 || !pose_2 || !s.point_1.allFinite() || !s.point_2.allFinite()) return;
  if (!s.axis_1.allFinite() || !(s.axis_1.cwiseAbs().maxCoeff() > kShortestDirection)) return;
  const Vector3d axis = pose_1->rotation * unitVector(s.axis_1);
  const double apart = axis.cross(pose_2->toWorld(s.point_2) - pose_1->toWorld(s.point_1)).norm();
  const double wanted = s.internal ? s.radius_2 - s.radius_1 : s.radius_1 + s.radius_2;
  if (!(std::abs(apart - wanted) <= kTouching * std::max(s.radius_1, s.radius_2)))
    out.error(path, "axes " + printed(apart) + " m apart in the declared state",
              std::string("must have its axes ") + (s.internal ? "radius_2 - radius_1" : "radius_1 + radius_2") +
                  " = " + printed(wanted) + " m apart");
}

/// Rules on the members of each kind of joint.
struct KindRules {
  const std::string& path;
  const JointSpec& joint;
  const References& references;
  FindingList& out;

  void operator()(const SphericalSpec& s) const { points(".spherical", s.point_1, s.point_2); }
  void operator()(const PointSpec& s) const { points(".point", s.point_1, s.point_2); }

  void operator()(const RevoluteSpec& s) const {
    alignedAxes(".revolute", s);
    requireFinite(path + ".revolute.initial_angle", s.initial_angle, out);
  }

  void operator()(const UniversalSpec& s) const {
    points(".universal", s.point_1, s.point_2);
    axes(".universal", s.axis_1, s.axis_2);
    checkAxesCross(path + ".universal", joint, s, references, out);
  }

  void operator()(const CylindricalSpec& s) const {
    alignedAxes(".cylindrical", s);
    requireFinite(path + ".cylindrical.initial_angle", s.initial_angle, out);
  }

  void operator()(const PrismaticSpec& s) const { alignedAxes(".prismatic", s); }

  void operator()(const PlanarSpec& s) const {
    alignedAxes(".planar", s);
    requireFinite(path + ".planar.initial_angle", s.initial_angle, out);
  }

  void operator()(const WeldSpec& s) const { points(".weld", s.point_1, s.point_2); }

  void operator()(const PointOnLineSpec& s) const {
    requireDirection(path + ".point_on_line.axis_1", s.axis_1, out);
    points(".point_on_line", s.point_1, s.point_2);
  }

  void operator()(const PointOnPlaneSpec& s) const {
    requireDirection(path + ".point_on_plane.axis_1", s.axis_1, out);
    points(".point_on_plane", s.point_1, s.point_2);
  }

  void operator()(const GearSpec& s) const {
    points(".gear", s.point_1, s.point_2);
    requireDirection(path + ".gear.axis_1", s.axis_1, out);
    requirePositive(path + ".gear.radius_1", s.radius_1, out);
    requirePositive(path + ".gear.radius_2", s.radius_2, out);
    checkGearCentres(path + ".gear", joint, s, references, out);
  }

  void operator()(const RackAndPinionSpec& s) const {
    constexpr double kAcross = 1e-6;
    const std::string at = path + ".rack_and_pinion";
    points(".rack_and_pinion", s.point_1, s.point_2);
    requireDirection(at + ".axis_1", s.axis_1, out);
    requireDirection(at + ".direction_1", s.direction_1, out);
    requirePositive(at + ".radius", s.radius, out);
    if (std::abs(s.axis_1.dot(s.direction_1)) > kAcross * s.axis_1.norm() * s.direction_1.norm())
      out.error(at + ".direction_1", printed(s.direction_1), "must be perpendicular to axis_1");
  }

  void operator()(const ScrewSpec& s) const {
    alignedAxes(".screw", s);
    if (requireFinite(path + ".screw.pitch", s.pitch, out) && s.pitch == 0)
      out.error(path + ".screw.pitch", "0", "must not be zero", "a joint without travel is a revolute one");
  }

  void operator()(const CouplerSpec&) const {}  // checkCouplers() looks at all joints together

  void operator()(const DistanceSpec& s) const {
    points(".distance", s.point_1, s.point_2);
    if (s.length) requirePositive(path + ".distance.length", *s.length, out);
    checkDistanceApart(path + ".distance", joint, s, references, out);
  }

  void operator()(const Dot1Spec& s) const { axes(".dot1", s.axis_1, s.axis_2); }

  void operator()(const Dot2Spec& s) const {
    requireDirection(path + ".dot2.axis_1", s.axis_1, out);
    points(".dot2", s.point_1, s.point_2);
  }

 private:
  void axes(const std::string& kind, const Vector3d& axis_1, const Vector3d& axis_2) const {
    requireDirection(path + kind + ".axis_1", axis_1, out);
    requireDirection(path + kind + ".axis_2", axis_2, out);
  }

  template <typename Spec>
  void alignedAxes(const std::string& kind, const Spec& s) const {
    points(kind.c_str(), s.point_1, s.point_2);
    axes(kind, s.axis_1, s.axis_2);
    checkAxesAgree(path + kind, joint, s, references, out);
  }

  void points(const char* kind, const Vector3d& point_1, const Vector3d& point_2) const {
    requireFinite(path + kind + ".point_1", point_1, out);
    requireFinite(path + kind + ".point_2", point_2, out);
  }
};

}  // namespace

bool hasAngle(const JointSpec& joint) noexcept {
  return std::holds_alternative<RevoluteSpec>(joint.kind) || std::holds_alternative<CylindricalSpec>(joint.kind) ||
         std::holds_alternative<PlanarSpec>(joint.kind) || std::holds_alternative<RackAndPinionSpec>(joint.kind) ||
         std::holds_alternative<ScrewSpec>(joint.kind);
}

bool hasTravel(const JointSpec& joint) noexcept {
  return std::holds_alternative<PrismaticSpec>(joint.kind) || std::holds_alternative<CylindricalSpec>(joint.kind) ||
         std::holds_alternative<PointOnLineSpec>(joint.kind) || std::holds_alternative<ScrewSpec>(joint.kind);
}

void checkJoint(const std::string& path, const JointSpec& joint, const References& references, FindingList& out) {
  if (std::holds_alternative<CouplerSpec>(joint.kind)) return;
  references.requireBody(path + ".body_1", joint.body_1, true, out);
  references.requireBody(path + ".body_2", joint.body_2, true, out);
  checkBodiesDiffer(path, joint, out);
  std::visit(KindRules{path, joint, references, out}, joint.kind);
}

}  // namespace tactus::rt::rules
