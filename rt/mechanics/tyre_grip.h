// Steady forces of a tyre against its slip: brush model and Magic Formula.
//
// Slip and forces count along the wheel's forward direction and to its left. Positive slip is that which drives: ratio
// (omega R - V) / V, and the tangent of the angle by which the contact is dragged to the right, so that both forces
// have the sign of their slip.
#pragma once

#include "rt/model/model.h"

namespace tactus::rt {

/// How a tyre is loaded and dragged.
struct TyreSlip {
  double ratio = 0;     ///< longitudinal
  double tangent = 0;   ///< of the slip angle
  double camber = 0;    ///< sine of the inclination: positive if the top leans to the right
  double load = 0;      ///< N, above zero
  double friction = 1;  ///< factor of the road
};

/// dF/d(slip) without slip at a load (N) and camber: longitudinal (N), lateral (N/rad).
struct SlipStiffness {
  double longitudinal, lateral;
};

struct SlipForce {
  double longitudinal = 0, lateral = 0;  ///< N
  double aligning = 0;                   ///< about the road's normal, N m
};

/// @rt no allocation, no throw, fixed work
SlipStiffness slipStiffness(const SlipTyre& tyre, double load, double camber) noexcept;

/// @rt no allocation, no throw, fixed work
/// @source brush: H. B. Pacejka, Tire and Vehicle Dynamics, section 3.2; Magic Formula: the same, section 4.3, without
///         turn slip, pressure and the load's own scaling factors
SlipForce slipForce(const SlipTyre& tyre, const TyreSlip& slip) noexcept;

/// Largest deflection of the tread as a factor on `slip`: of the brush model where all of it slides; of the Magic
/// Formula the peak where the wheel stands, more as it rolls, for there the tread runs through the contact.
/// @param speed  of the wheel's centre, m/s
/// @returns 1 where the slip is below the limit
/// @rt no allocation, no throw, fixed work
double limitOfSlip(const SlipTyre& tyre, const TyreSlip& slip, const SlipStiffness& stiffness, double speed) noexcept;

}  // namespace tactus::rt
