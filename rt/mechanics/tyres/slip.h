// Slip of a tyre and the forces against it.
//
// Slip and forces count along the wheel's forward direction and to its left. Positive slip is slip that drives: the
// ratio (omega R - V) / V, and the tangent of the angle by which the contact is dragged to the right, so that both
// forces have the sign of their slip.
#pragma once

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

}  // namespace tactus::rt
