// Where every body is and how it moves, in the axes that the equations of motion use.
// Velocities and accelerations of a body are 6-vectors in world axes: (v, omega_w) and (a, alpha_w).
#pragma once

#include "rt/math/euler_parameters.h"
#include "rt/math/six.h"
#include "rt/model/elements/element.h"
#include "rt/state/state.h"

namespace tactus::rt {

/// Motion of one body. Functions that read the rates document it.
struct BodyMotion {
  Vector3d r = Vector3d::Zero();        ///< center of mass, world, m
  Matrix3d R = Matrix3d::Identity();    ///< body to world
  Vector3d v = Vector3d::Zero();        ///< world, m/s
  Vector3d omega_w = Vector3d::Zero();  ///< world, rad/s
  Vector3d a = Vector3d::Zero();        ///< world, m/s^2
  Vector3d alpha_w = Vector3d::Zero();  ///< world, rad/s^2

  Six rates() const noexcept { return Six::of(v, omega_w); }
  Six accelerations() const noexcept { return Six::of(a, alpha_w); }
};

/// The world as a body: at the origin, at rest.
inline const BodyMotion kGroundMotion{};

/// The motion of `body` in an array of motions, or of the world for kGround.
inline const BodyMotion& motionOf(const BodyMotion* motions, int body) noexcept {
  return body == kGround ? kGroundMotion : motions[body];
}

/// All of a body's motion from State.
inline BodyMotion bodyMotion(const StateView& state, int i) noexcept {
  BodyMotion m;
  m.r = state.r(i);
  m.R = rotationMatrix(state.p(i));
  m.v = state.v(i);
  m.omega_w = m.R * state.omega(i);
  m.a = state.a(i);
  m.alpha_w = m.R * state.alpha(i);
  return m;
}

}  // namespace tactus::rt
