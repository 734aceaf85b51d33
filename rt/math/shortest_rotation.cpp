#include "rt/math/shortest_rotation.h"

namespace tactus::rt {

Eigen::Quaterniond shortestRotation(const Eigen::Vector3d& from, const Eigen::Vector3d& to) noexcept {
  constexpr double kOpposite = 1e-8;  // below it, half of the digits of the cross product are lost
  const Eigen::Vector3d a = from.normalized(), b = to.normalized();
  const double twice = (a + b).norm();  // the cosine of half the angle, without the cancellation of 1 + a.b
  Eigen::Quaterniond rotation;
  if (twice < kOpposite) {
    rotation.w() = 0;
    rotation.vec() = a.unitOrthogonal();
  } else {
    rotation.w() = 0.5 * twice;
    rotation.vec() = a.cross(b) / twice;
  }
  return rotation;
}

}  // namespace tactus::rt
