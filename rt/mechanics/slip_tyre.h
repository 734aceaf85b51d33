// A wheel on a road: how it stands, how its tread is dragged, and the load that this puts on its body.
//
// The tread is dragged by the slip velocity of the contact and carried away by rolling: du/dt = -V_s - |V| u / sigma,
// along and across. Slip is u / sigma. That gives the relaxation of a rolling tyre and, at a stand, a spring that holds
// the wheel where it is. V is the speed at which the tread runs through the contact; of the Magic Formula, which counts
// slip so, that of the wheel's centre.
#pragma once

#include "rt/mechanics/joint_constraints.h"
#include "rt/mechanics/kinematics.h"
#include "rt/model/model.h"

namespace tactus::rt {

/// What a tyre does at one motion. All zero where it does not touch.
struct TyreState {
  double deflection = 0;                 ///< radial, m; below zero: clear of the road
  double load = 0;                       ///< normal to the road, N; never below zero
  double ratio = 0, angle = 0;           ///< slip: ratio, and angle (rad), positive where their force is
  double camber = 0;                     ///< rad, positive if the top leans to the right
  double longitudinal = 0, lateral = 0;  ///< force on the wheel, forward and to its left, N
  double aligning = 0;                   ///< moment about the normal of the road, N m
  double resistance = 0;                 ///< rolling resistance, moment about the wheel's axis, N m
  double stored = 0;                     ///< radial, J
  double dissipated = 0;                 ///< W; what the tread stores along the road counts until it gives it back
  double internal_states[kSlipTyreInternalStates] = {};  ///< at the end of the step
  double tread_rate[2] = {};  ///< of the deflections in `internal_states` where no limit holds them, m/s
  Load on_body;               ///< about the body's centre of mass, world axes

  // For the tangent of a step: directions at the contact, and the velocity derivatives of the force along them.
  Vector3d normal = Vector3d::Zero(), forward = Vector3d::Zero(), left = Vector3d::Zero();
  Vector3d arm = Vector3d::Zero();  ///< from the centre of mass to the contact
  double stiffness = 0, damping = 0, drag[2] = {};
};

/// @param body    motion of the wheel, with r, R, v and omega_w
/// @param internal states  kSlipTyreInternalStates values at the beginning of the step
/// @param dt      length of the step, s; 0: the internal states is that of this motion
/// @rt no allocation, no throw, work bounded by the obstacles of the road
/// @source H. B. Pacejka, Tire and Vehicle Dynamics, sections 7.2 and 8.6, with the trapezoidal rule for u
TyreState evaluateSlipTyre(const Model& model, const SlipTyre& tyre, const BodyMotion& body,
                           const double* internal_states, double dt) noexcept;

}  // namespace tactus::rt
