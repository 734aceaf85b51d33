// The brush model: bristles along the contact that bend with the slip and slide where friction no longer holds them.
//
// H. B. Pacejka, Tire and Vehicle Dynamics, section 3.2, for a parabolic pressure, isotropic friction and combined slip
// by the vector of both linear forces:
//
//   theta = |C s| / (3 mu F_z)     share of the slip at which all of the contact slides
//   F = C s (1 - theta + theta^2/3) for theta < 1, else mu F_z along C s
//   t = a/3 (1 - theta)^3 / (1 - theta + theta^2/3)     trail of the lateral force; in reverse -t
#pragma once

#include "rt/mechanics/tyres/slip.h"
#include "rt/model/elements/slip_tyre.h"

namespace tactus::rt {

struct BrushLaw {
  /// Stiffness at the nominal load times (F_z / F_z0)^exponent.
  static SlipStiffness stiffness(const BrushGrip& grip, const SlipTyre& tyre, double load, double camber) noexcept;

  static SlipForce force(const BrushGrip& grip, const SlipTyre& tyre, const TyreSlip& slip,
                         const SlipStiffness& stiffness) noexcept;

  /// The slip at which all of the contact slides, theta = 1.
  static double limit(const BrushGrip& grip, const SlipTyre& tyre, const TyreSlip& slip, const SlipStiffness& stiffness,
                      double speed) noexcept;

  /// The tread runs through the contact as the wheel rolls.
  static double speed(double rolling, double) noexcept { return rolling; }
};

}  // namespace tactus::rt
