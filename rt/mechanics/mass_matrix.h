// Inertia of a body in world axes and the forces of inertia.
#pragma once

#include "rt/mechanics/kinematics.h"
#include "rt/model/elements/body.h"

namespace tactus::rt {

/// Inertia tensor about the center of mass in world axes, kg m^2.
inline Matrix3d worldInertia(const Body& body, const Matrix3d& R) noexcept {
  return R * body.inertia * R.transpose();
}

/// R (J alpha + omega x J omega): torque that the rotation needs, world axes, N m; inertia and rates in body axes.
template <class Inertia, class T>
Eigen::Matrix<T, 3, 1> inertiaTorque(const Inertia& J, const Eigen::Matrix<T, 3, 3>& R,
                                     const Eigen::Matrix<T, 3, 1>& omega_b,
                                     const Eigen::Matrix<T, 3, 1>& alpha_b) noexcept {
  const Eigen::Matrix<T, 3, 1> momentum = J * omega_b, change = J * alpha_b;
  return R * (change + omega_b.cross(momentum));
}

inline Vector3d inertiaTorque(const Body& body, const Matrix3d& R, const Vector3d& omega_b,
                              const Vector3d& alpha_b) noexcept {
  return inertiaTorque(body.inertia, R, omega_b, alpha_b);
}

}  // namespace tactus::rt
