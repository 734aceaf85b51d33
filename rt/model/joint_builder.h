// From the description of a joint to its primitives.
#pragma once

#include "rt/model/model.h"
#include "rt/model/model_spec.h"

namespace tactus::rt {

/// Pose of a body, or of ground, in the state that the bodies declare.
struct DeclaredPose {
  Vector3d position = Vector3d::Zero();
  Matrix3d rotation = Matrix3d::Identity();  ///< body to world

  DeclaredPose() = default;  ///< of ground
  explicit DeclaredPose(const BodySpec& body);

  Vector3d toWorld(const Vector3d& point_b) const { return position + rotation * point_b; }
};

/// Appends a joint with its primitives and rows; names are not its business.
/// @param body_1, body_2  indices, or kGround
void appendJoint(const JointSpec& spec, int body_1, int body_2, const DeclaredPose& pose_1, const DeclaredPose& pose_2,
                 Model& model);

/// Appends a coupler of joints that the model has already.
/// @param targets  their indices
/// @param poses    of all bodies
void appendCoupler(const CouplerSpec& spec, const std::vector<int>& targets, const std::vector<DeclaredPose>& poses,
                   Model& model);

/// Appends the rows of a force element between two bodies. `target` is the joint of a rotational spring.
void appendSpring(const TranslationalSpringSpec& spec, int body_1, int body_2, const DeclaredPose& pose_1,
                  const DeclaredPose& pose_2, Model& model);
void appendSpring(const RotationalSpringSpec& spec, int target, Model& model);
void appendBushing(const BushingSpec& spec, int body_1, int body_2, const DeclaredPose& pose_1,
                   const DeclaredPose& pose_2, Model& model);

/// Appends the row of Model::tyres[tyre].
void appendTyre(int tyre, Model& model);

/// Appends the row of a drive, whose function is Model::drives[drive]. `target` is the joint with the coordinate.
void appendDrivenAngle(int target, int drive, Model& model);
void appendDrivenTravel(int target, int drive, Model& model);
void appendDrivenDistance(const DrivenDistanceSpec& spec, int body_1, int body_2, int drive, Model& model);

}  // namespace tactus::rt
