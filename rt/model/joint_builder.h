// Appends the rows of one joint to a Model: the words in which build() of a joint, a spring or a drive is written.
#pragma once

#include "rt/model/declared_pose.h"
#include "rt/model/model.h"

#include <string>

namespace tactus::rt {

class ModelBuilder;

/// One joint in the making. Primitives and rows go to the Model at once, the joint itself with finish().
class JointBuilder {
 public:
  /// @param body_1, body_2  indices, or kGround
  JointBuilder(JointKind kind, int body_1, int body_2, ModelBuilder& builder);

  const DeclaredPose& pose1() const noexcept { return pose_1_; }
  const DeclaredPose& pose2() const noexcept { return pose_2_; }
  /// Distance of two points in the declared state, m.
  double declaredDistance(const Vector3d& point_1, const Vector3d& point_2) const;

  Joint& joint() noexcept { return joint_; }
  Model& model() noexcept { return model_; }

  /// Where the reaction of the joint is reported, and between which points its rows act.
  void setPoints(const Vector3d& point_1, const Vector3d& point_2);
  /// One point row of three: both points coincide.
  void holdPoint(const Vector3d& point_1, const Vector3d& point_2);
  /// Two dot-1 rows: two directions of body 1, normal to its axis and to each other, stay normal to the axis of body 2.
  void alignAxes(const Vector3d& axis_1, const Vector3d& axis_2);
  /// The direction from which the angle counts, the same in both bodies in the declared state.
  void shareZero();
  /// That direction stays shared, too. After alignAxes().
  void lockTurning();
  /// Point 2 stays on the line through point 1 along axis 1.
  void keepOnLine();
  /// Point 2 stays in the plane through point 1 normal to a direction of body 1.
  void keepInPlane(const Vector3d& normal_1);
  /// Two directions stay perpendicular.
  void keepPerpendicular(const Vector3d& a_1, const Vector3d& a_2);
  /// The angle counts from the direction that both bodies share in the declared state.
  void countAngle(double initial_angle);
  /// The travel along a direction of body 1 is `rho` times the angle, both from the declared state.
  void roll(const Vector3d& direction, double rho);
  /// A row with the angle of another joint between the same bodies.
  void angleOf(const Joint& target);
  /// A row with the distance between two points.
  void distanceBetween(const Vector3d& point_1, const Vector3d& point_2);

  /// Appends a primitive with its rows.
  Primitive& add(PrimitiveKind kind, const Vector3d& s_1, const Vector3d& s_2, const Vector3d& a_1, const Vector3d& a_2,
                 double length = 0);

  /// Makes the rows compliant, with this law.
  void setCompliant(const CompliantLaw& law);
  /// Makes the row driven: it follows Model::drives[drive].
  void setDriven(int drive);

  /// Appends the joint to the Model.
  void finish(const std::string& name, const std::string& description);

 private:
  ModelBuilder& builder_;
  const DeclaredPose& pose_1_;
  const DeclaredPose& pose_2_;
  Model& model_;
  Joint joint_ = {};
};

}  // namespace tactus::rt
