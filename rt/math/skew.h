// The cross-product matrix.
#pragma once

#include <Eigen/Core>

namespace tactus::rt {

/// Matrix S with S b = a x b.
inline Eigen::Matrix3d skew(const Eigen::Vector3d& a) noexcept {
  Eigen::Matrix3d s;
  s << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return s;
}

}  // namespace tactus::rt
