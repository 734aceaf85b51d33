#include "rt/model/joint_builder.h"

#include "rt/math/euler_parameters.h"
#include "rt/model/directions.h"

namespace tactus::rt {
namespace {

/// Writes one joint: the shared part of every kind, and one overload for each kind.
class JointBuilder {
 public:
  JointBuilder(int body_1, int body_2, const DeclaredPose& pose_1, const DeclaredPose& pose_2, Model& model)
      : pose_1_(pose_1), pose_2_(pose_2), model_(model) {
    const Vector3d zero = Vector3d::Zero();
    joint_ = Joint{JointKind::kSpherical,
                   body_1,
                   body_2,
                   static_cast<int>(model.primitives.size()),
                   0,
                   model.rows,
                   0,
                   zero,
                   zero,
                   -1,
                   zero,
                   zero,
                   zero,
                   zero,
                   0};
  }

  void operator()(const SphericalSpec& s) { pointJoint(JointKind::kSpherical, s.point_1, s.point_2); }
  void operator()(const PointSpec& s) { pointJoint(JointKind::kPoint, s.point_1, s.point_2); }

  // Two directions of body 1, normal to its axis and to each other, stay normal to the axis of body 2.
  void operator()(const RevoluteSpec& s) {
    pointJoint(JointKind::kRevolute, s.point_1, s.point_2);
    joint_.axis_1 = unitVector(s.axis_1);
    joint_.axis_2 = unitVector(s.axis_2);
    const Vector3d u = perpendicularTo(joint_.axis_1);
    const Vector3d w = joint_.axis_1.cross(u);
    add(PrimitiveKind::kDot1, s.point_1, s.point_2, u, joint_.axis_2);
    add(PrimitiveKind::kDot1, s.point_1, s.point_2, w, joint_.axis_2);

    // The angle counts from the direction that both bodies share in the declared state.
    joint_.coordinate = model_.coordinates++;
    joint_.initial_angle = s.initial_angle;
    joint_.zero_1 = u;
    const Vector3d shared = pose_2_.rotation.transpose() * (pose_1_.rotation * u);
    joint_.zero_2 = unitVector<Vector3d>(shared - shared.dot(joint_.axis_2) * joint_.axis_2);
  }

  void operator()(const DistanceSpec& s) {
    joint_.kind = JointKind::kDistance;
    setPoints(s.point_1, s.point_2);
    const double declared = (pose_2_.toWorld(s.point_2) - pose_1_.toWorld(s.point_1)).norm();
    add(PrimitiveKind::kDistance, s.point_1, s.point_2, Vector3d::Zero(), Vector3d::Zero(),
        s.length.value_or(declared));
  }

  void operator()(const Dot1Spec& s) {
    joint_.kind = JointKind::kDot1;
    add(PrimitiveKind::kDot1, Vector3d::Zero(), Vector3d::Zero(), unitVector(s.axis_1), unitVector(s.axis_2));
  }

  void operator()(const Dot2Spec& s) {
    joint_.kind = JointKind::kDot2;
    setPoints(s.point_1, s.point_2);
    add(PrimitiveKind::kDot2, s.point_1, s.point_2, unitVector(s.axis_1), Vector3d::Zero());
  }

  const Joint& joint() const noexcept { return joint_; }

 private:
  void pointJoint(JointKind kind, const Vector3d& point_1, const Vector3d& point_2) {
    joint_.kind = kind;
    setPoints(point_1, point_2);
    add(PrimitiveKind::kPoint, point_1, point_2, Vector3d::Zero(), Vector3d::Zero());
  }

  void setPoints(const Vector3d& point_1, const Vector3d& point_2) {
    joint_.point_1 = point_1;
    joint_.point_2 = point_2;
  }

  void add(PrimitiveKind kind, const Vector3d& s_1, const Vector3d& s_2, const Vector3d& a_1, const Vector3d& a_2,
           double length = 0) {
    model_.primitives.push_back({kind, joint_.body_1, joint_.body_2, model_.rows, s_1, s_2, a_1, a_2, length});
    model_.rows += rowsOf(kind);
    joint_.row_count += rowsOf(kind);
    ++joint_.primitive_count;
  }

  const DeclaredPose& pose_1_;
  const DeclaredPose& pose_2_;
  Model& model_;
  Joint joint_;
};

}  // namespace

DeclaredPose::DeclaredPose(const BodySpec& body)
    : position(body.position), rotation(rotationMatrix(unitVector(body.orientation))) {}

void appendJoint(const JointSpec& spec, int body_1, int body_2, const DeclaredPose& pose_1, const DeclaredPose& pose_2,
                 Model& model) {
  JointBuilder builder(body_1, body_2, pose_1, pose_2, model);
  std::visit(builder, spec.kind);
  model.joints.push_back(builder.joint());
}

const char* toString(JointKind kind) noexcept {
  switch (kind) {
    case JointKind::kSpherical: return "spherical";
    case JointKind::kRevolute: return "revolute";
    case JointKind::kDistance: return "distance";
    case JointKind::kDot1: return "dot1";
    case JointKind::kDot2: return "dot2";
    case JointKind::kPoint: return "point";
  }
  return "unknown";
}

}  // namespace tactus::rt
