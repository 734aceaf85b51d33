// Angle: from a direction of body 1 to a direction of body 2 about an axis. One row, rad; the axes of both bodies are
// parallel, as the joint keeps them. lambda is the torque about the axis on body 1.
//
//   phi   = angle(b_1, b_2 about a_1) + length                        (1)
//   H     = [0, -a_1], [0, a_1]                                       (2)
//   gamma = -a_1' . (omega_2 - omega_1)                               (3)
//   K_i   = 0: turning the axis gives an antisymmetric part only      (4)
#pragma once

#include "rt/mechanics/primitives/primitive.h"

namespace tactus::rt {

struct AnglePrimitive : PrimitiveRows {
  static constexpr PrimitiveKind kKind = PrimitiveKind::kAngle;
  static constexpr int kAngles = 1;

  static void rows(const Primitive& p, const BodyMotion* motions, double* phi, RowJacobian* jacobian) noexcept;
  static void gamma(const Primitive& p, const BodyMotion* motions, double* gamma) noexcept;
  static void addStiffness(const Primitive& p, const BodyMotion* motions, const double* lambda,
                           Matrix3d* stiffness) noexcept;
  static RowDerivatives derivatives(const Primitive& p, const BodyMotion* motions) noexcept;
  static Matrix12d reactionDerivative(const Primitive& p, const BodyMotion* motions, const double* lambda) noexcept;

  static void angles(const Primitive& p, const BodyMotion* motions, double* angles) noexcept;
  static double continueRow(const Primitive& p, const BodyMotion* motions, const double* previous, double phi) noexcept;
};

}  // namespace tactus::rt
