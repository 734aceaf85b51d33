// Rotations as the formats write them.
#pragma once

#include "server/import/mass_properties.h"

#include <Eigen/Core>

#include <string>

namespace tactus::server {

/// Rotation by roll, pitch and yaw: about the fixed axes x, y and z, in this order (URDF, SDF). Angles in rad.
Eigen::Matrix3d rollPitchYaw(const Eigen::Vector3d& angles);

/// Rotation by three angles, rad, about the axes that the letters name: small letters turn with the frame, capital ones
/// stay (MJCF, eulerseq).
Eigen::Matrix3d eulerRotation(const std::string& sequence, const Eigen::Vector3d& angles);

/// The shortest rotation that turns z into a direction (of any length above zero).
Eigen::Matrix3d rotationFromZ(const Eigen::Vector3d& direction);

/// Unit quaternion, scalar first, of a rotation matrix; its scalar is not below zero.
Eigen::Vector4d quaternionOf(const Eigen::Matrix3d& rotation);

}  // namespace tactus::server
