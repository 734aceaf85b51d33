#include "rt/model/joint_builder.h"

#include "rt/model/directions.h"
#include "rt/model/model_builder.h"

namespace tactus::rt {

JointBuilder::JointBuilder(JointKind kind, int body_1, int body_2, ModelBuilder& builder)
    : builder_(builder), pose_1_(builder.pose(body_1)), pose_2_(builder.pose(body_2)), model_(builder.model()) {
  joint_.kind = kind;
  joint_.body_1 = body_1;
  joint_.body_2 = body_2;
  joint_.first_primitive = static_cast<int>(model_.primitives.size());
  joint_.first_row = model_.rows;
  for (Vector3d* v : {&joint_.point_1, &joint_.point_2, &joint_.axis_1, &joint_.axis_2, &joint_.zero_1, &joint_.zero_2})
    v->setZero();
}

double JointBuilder::declaredDistance(const Vector3d& point_1, const Vector3d& point_2) const {
  return (pose_2_.toWorld(point_2) - pose_1_.toWorld(point_1)).norm();
}

void JointBuilder::setPoints(const Vector3d& point_1, const Vector3d& point_2) {
  joint_.point_1 = point_1;
  joint_.point_2 = point_2;
}

void JointBuilder::holdPoint(const Vector3d& point_1, const Vector3d& point_2) {
  setPoints(point_1, point_2);
  add(PrimitiveKind::kPoint, point_1, point_2, Vector3d::Zero(), Vector3d::Zero());
}

void JointBuilder::alignAxes(const Vector3d& axis_1, const Vector3d& axis_2) {
  joint_.axis_1 = unitVector(axis_1);
  joint_.axis_2 = unitVector(axis_2);
  joint_.zero_1 = perpendicularTo(joint_.axis_1);
  keepPerpendicular(joint_.zero_1, joint_.axis_2);
  keepPerpendicular(joint_.axis_1.cross(joint_.zero_1), joint_.axis_2);
  shareZero();
}

void JointBuilder::shareZero() {
  const Vector3d shared = pose_2_.rotation.transpose() * (pose_1_.rotation * joint_.zero_1);
  joint_.zero_2 = unitVector<Vector3d>(shared - shared.dot(joint_.axis_2) * joint_.axis_2);
}

void JointBuilder::lockTurning() {
  keepPerpendicular(joint_.zero_1, joint_.axis_2.cross(joint_.zero_2));
}

void JointBuilder::keepOnLine() {
  const Vector3d u = perpendicularTo(joint_.axis_1);
  keepInPlane(u);
  keepInPlane(joint_.axis_1.cross(u));
}

void JointBuilder::keepInPlane(const Vector3d& normal_1) {
  add(PrimitiveKind::kDot2, joint_.point_1, joint_.point_2, normal_1, Vector3d::Zero());
}

void JointBuilder::keepPerpendicular(const Vector3d& a_1, const Vector3d& a_2) {
  add(PrimitiveKind::kDot1, Vector3d::Zero(), Vector3d::Zero(), a_1, a_2);
}

void JointBuilder::countAngle(double initial_angle) {
  joint_.displacement = model_.displacements++;
  joint_.initial_angle = initial_angle;
}

void JointBuilder::roll(const Vector3d& direction, double rho) {
  const Vector3d apart = pose_2_.toWorld(joint_.point_2) - pose_1_.toWorld(joint_.point_1);
  Primitive& rolling = add(PrimitiveKind::kRolling, joint_.point_1, joint_.point_2, joint_.axis_1, joint_.axis_2,
                           (pose_1_.rotation * direction).dot(apart));
  rolling.b_1 = joint_.zero_1;
  rolling.b_2 = joint_.zero_2;
  rolling.displacement = joint_.displacement;
  rolling.t_1 = direction;
  rolling.rho_1 = rho;
}

void JointBuilder::angleOf(const Joint& target) {
  joint_.axis_1 = target.axis_1;
  joint_.axis_2 = target.axis_2;
  setPoints(target.point_1, target.point_2);
  Primitive& angle = add(PrimitiveKind::kAngle, Vector3d::Zero(), Vector3d::Zero(), target.axis_1, target.axis_2,
                         target.initial_angle);
  angle.b_1 = target.zero_1;
  angle.b_2 = target.zero_2;
  angle.displacement = target.displacement;
}

void JointBuilder::distanceBetween(const Vector3d& point_1, const Vector3d& point_2) {
  setPoints(point_1, point_2);
  add(PrimitiveKind::kLength, point_1, point_2, Vector3d::Zero(), Vector3d::Zero());
}

Primitive& JointBuilder::add(PrimitiveKind kind, const Vector3d& s_1, const Vector3d& s_2, const Vector3d& a_1,
                             const Vector3d& a_2, double length) {
  model_.primitives.push_back({kind, joint_.body_1, joint_.body_2, model_.rows, s_1, s_2, a_1, a_2, length,
                               Vector3d::Zero(), Vector3d::Zero(), -1});
  model_.rows += rowsOf(kind);
  joint_.row_count += rowsOf(kind);
  ++joint_.primitive_count;
  return model_.primitives.back();
}

void JointBuilder::setCompliant(const CompliantLaw& law) {
  joint_.law = LawKind::kCompliant;
  joint_.law_index = static_cast<int>(model_.compliant_laws.size());
  model_.compliant_laws.push_back(law);
}

void JointBuilder::setDriven(int drive) {
  joint_.law = LawKind::kDriven;
  joint_.law_index = drive;
}

void JointBuilder::finish(const std::string& name, const std::string& description) {
  builder_.append(joint_, name, description);
}

}  // namespace tactus::rt
