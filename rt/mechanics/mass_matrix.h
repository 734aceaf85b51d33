// Inertia of a body in world axes and the forces of inertia.
#pragma once

#include "rt/mechanics/kinematics.h"
#include "rt/model/model.h"

namespace tactus::rt {

/// Inertia tensor about the centre of mass in world axes, kg m^2.
inline Matrix3d worldInertia(const Body& body, const Matrix3d& R) noexcept {
  return R * body.inertia * R.transpose();
}

/// R (J alpha + omega x J omega): torque that the rotation needs, world axes, N m; rates in body axes.
inline Vector3d inertiaTorque(const Body& body, const Matrix3d& R, const Vector3d& omega_b,
                              const Vector3d& alpha_b) noexcept {
  return R * (body.inertia * alpha_b + omega_b.cross(body.inertia * omega_b));
}

}  // namespace tactus::rt
