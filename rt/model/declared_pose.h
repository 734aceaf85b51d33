// Where a body is in the state that the bodies declare.
#pragma once

#include <Eigen/Core>

namespace tactus::rt {

struct BodySpec;

/// Pose of a body, or of ground, in the state that the bodies declare.
struct DeclaredPose {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();  ///< body to world

  DeclaredPose() = default;  ///< of ground
  explicit DeclaredPose(const BodySpec& body);

  Eigen::Vector3d toWorld(const Eigen::Vector3d& point_b) const { return position + rotation * point_b; }
};

}  // namespace tactus::rt
