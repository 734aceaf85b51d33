// The shortest rotation from one direction to another.
#pragma once

#include <Eigen/Geometry>

namespace tactus::rt {

/// The rotation about the normal of both directions that turns `from` into `to`; by half a turn about any normal of
/// `from` where the directions are opposite. Eigen's FromTwoVectors does the same by a singular value decomposition,
/// which takes seconds to compile in each source.
/// @param from, to  of any length above zero
Eigen::Quaterniond shortestRotation(const Eigen::Vector3d& from, const Eigen::Vector3d& to) noexcept;

}  // namespace tactus::rt
