// Slip of a tyre and the forces against it, of one tyre (T is double) or of four in lanes (T is Lanes<4>).
//
// Slip and forces count along the wheel's forward direction and to its left. Positive slip is slip that drives: the
// ratio (omega R - V) / V, and the tangent of the angle by which the contact is dragged to the right, so that both
// forces have the sign of their slip.
#pragma once

namespace tactus::rt {

/// How a tyre is loaded and dragged.
template <class T>
struct TyreSlipOf {
  T ratio = 0;     ///< longitudinal
  T tangent = 0;   ///< of the slip angle
  T camber = 0;    ///< sine of the inclination: positive if the top leans to the right
  T load = 0;      ///< N, above zero
  T friction = 1;  ///< factor of the road
  T facing = 1;    ///< 1 where the tread runs through the contact as ahead or stands, -1 in reverse
};
using TyreSlip = TyreSlipOf<double>;

/// dF/d(slip) without slip at a load (N) and camber: longitudinal (N), lateral (N/rad).
template <class T>
struct SlipStiffnessOf {
  T longitudinal, lateral;
};
using SlipStiffness = SlipStiffnessOf<double>;

template <class T>
struct SlipForceOf {
  T longitudinal = 0, lateral = 0;  ///< N
  T aligning = 0;                   ///< about the road's normal, N m
};
using SlipForce = SlipForceOf<double>;

}  // namespace tactus::rt
