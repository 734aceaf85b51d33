// Rules on joints.
#include "rt/model/directions.h"
#include "rt/model/joint_builder.h"
#include "rt/model/rules.h"

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

/// Antiparallel axes satisfy the rows, but the angle and the torque would have two signs.
void checkAxesAgree(const std::string& path, const JointSpec& joint, const RevoluteSpec& revolute,
                    const References& references, FindingList& out) {
  const auto pose_1 = references.declaredPose(joint.body_1);
  const auto pose_2 = references.declaredPose(joint.body_2);
  if (!pose_1 || !pose_2 || !revolute.axis_1.allFinite() || !revolute.axis_2.allFinite()) return;
  if ((pose_1->rotation * revolute.axis_1).dot(pose_2->rotation * revolute.axis_2) < 0)
    out.error(path + ".axis_2", printed(revolute.axis_2), "must point the same way as axis_1 in the declared state",
              "turn it round: " + printed(Vector3d(Vector3d::Zero() - revolute.axis_2)));
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
    points(".revolute", s.point_1, s.point_2);
    requireDirection(path + ".revolute.axis_1", s.axis_1, out);
    requireDirection(path + ".revolute.axis_2", s.axis_2, out);
    requireFinite(path + ".revolute.initial_angle", s.initial_angle, out);
    checkAxesAgree(path + ".revolute", joint, s, references, out);
  }

  void operator()(const DistanceSpec& s) const {
    points(".distance", s.point_1, s.point_2);
    if (s.length) requirePositive(path + ".distance.length", *s.length, out);
    checkDistanceApart(path + ".distance", joint, s, references, out);
  }

  void operator()(const Dot1Spec& s) const {
    requireDirection(path + ".dot1.axis_1", s.axis_1, out);
    requireDirection(path + ".dot1.axis_2", s.axis_2, out);
  }

  void operator()(const Dot2Spec& s) const {
    requireDirection(path + ".dot2.axis_1", s.axis_1, out);
    points(".dot2", s.point_1, s.point_2);
  }

 private:
  void points(const char* kind, const Vector3d& point_1, const Vector3d& point_2) const {
    requireFinite(path + kind + ".point_1", point_1, out);
    requireFinite(path + kind + ".point_2", point_2, out);
  }
};

}  // namespace

void checkJoint(const std::string& path, const JointSpec& joint, const References& references, FindingList& out) {
  references.requireBody(path + ".body_1", joint.body_1, true, out);
  references.requireBody(path + ".body_2", joint.body_2, true, out);
  checkBodiesDiffer(path, joint, out);
  std::visit(KindRules{path, joint, references, out}, joint.kind);
}

}  // namespace tactus::rt::rules
