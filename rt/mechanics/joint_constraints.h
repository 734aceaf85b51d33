// Constraint rows of the joints at position, velocity and acceleration level, and their geometric stiffness. The terms
// of each primitive are in mechanics/primitives.
#pragma once

#include "rt/math/angles.h"
#include "rt/mechanics/kinematics.h"
#include "rt/mechanics/primitives/row.h"
#include "rt/model/joint.h"

namespace tactus::rt {

struct Model;

/// Values and Jacobians of the rows of one primitive. Reads r and R of the motions.
///
/// @param[out] phi   rowsOf(kind) values, m (rad for kDot1, kAngle, kTwist and the rotation of kSection); with each
///                   angle in (-pi, pi], of kAngle plus its length: continueRow() adds the turns
/// @param[out] jacobian  rowsOf(kind) rows; the side of ground is zero
/// @rt no allocation, no throw, fixed work
void evaluateRows(const Primitive& primitive, const BodyMotion* motions, double* phi, RowJacobian* jacobian) noexcept;

/// Right side of the rows at acceleration level: H (a, alpha_w) = gamma. Reads r, R, v, omega_w.
/// @rt no allocation, no throw, fixed work
void evaluateGamma(const Primitive& primitive, const BodyMotion* motions, double* gamma) noexcept;

/// Adds the rotational geometric stiffness of a primitive to its bodies: the derivative of H_phi^T lambda by that
/// body's own dphi, symmetrized (3 x 3, world axes). The parts that couple rotation with translation or with the
/// other body are left out of the tangent.
/// @rt no allocation, no throw, fixed work
/// @source derived; equation (4) of each header of mechanics/primitives
void addGeometricStiffness(const Primitive& primitive, const BodyMotion* motions, const double* lambda,
                           Matrix3d* stiffness) noexcept;

/// Load of a joint on one of its bodies: force (N) and torque about the center of mass (N m), both in world axes.
struct Load {
  Vector3d force = Vector3d::Zero();
  Vector3d torque = Vector3d::Zero();
};

/// Reaction on body 2 of a joint: force, and torque about the joint's point on body 2, world axes. Of a coupler that of
/// its first displacement.
/// @source -Phi_q^T lambda, moved from the center of mass to the point
Load reactionOnBody2(const Model& model, int joint, const BodyMotion* motions, const double* lambda) noexcept;

/// Angle of a joint that has one, in (-pi, pi] about its axis. Reads R.
double jointAngle(const Joint& joint, const BodyMotion* motions) noexcept;

/// Rate of that angle, rad/s. Reads R and omega_w.
double jointRate(const Joint& joint, const BodyMotion* motions) noexcept;

/// Travel of a joint that has one: from point 1 to point 2 along axis 1, m. Reads r and R.
double jointTravel(const Joint& joint, const BodyMotion* motions) noexcept;

/// Rate of that travel, m/s. Reads r, R, v and omega_w.
double jointTravelRate(const Joint& joint, const BodyMotion* motions) noexcept;

/// Angles of a primitive that counts some, each in (-pi, pi] (of kAngle plus its length). Reads r and R.
/// @returns the number of angles: 1 for kAngle and kRolling, 2 for kGear, else 0
int primitiveAngles(const Primitive& primitive, const BodyMotion* motions, double* angles) noexcept;

/// The row of a primitive that counts angles, with the angles continued from `displacements`, those of State.
/// @param phi  as evaluateRows() gives it
double continueRow(const Primitive& primitive, const BodyMotion* motions, const double* displacements,
                   double phi) noexcept;

/// evaluateRows(), with angles continued.
/// @rt no allocation, no throw, fixed work
inline void evaluateContinuedRows(const Primitive& primitive, const BodyMotion* motions, const double* displacements,
                                  double* phi, RowJacobian* jacobian) noexcept {
  evaluateRows(primitive, motions, phi, jacobian);
  if (primitive.displacement >= 0) phi[0] = continueRow(primitive, motions, displacements, phi[0]);
}

/// Turns that the primitives of gears, racks and screws have made in the declared state.
/// @param[in,out] angles  of State
void startAngles(const Model& model, const BodyMotion* motions, double* angles) noexcept;

/// The displacement of a joint that has one, the value nearest to `previous`: entry Joint::displacement of State.
/// @rt no allocation, no throw, fixed work
double continueJointAngle(const Joint& joint, const BodyMotion* motions, const double* previous) noexcept;

/// All angles that State counts, each the value nearest to `previous`, which may be `angles`.
/// @rt no allocation, no throw, fixed work
void countAngles(const Model& model, const BodyMotion* motions, const double* previous, double* angles) noexcept;

}  // namespace tactus::rt
