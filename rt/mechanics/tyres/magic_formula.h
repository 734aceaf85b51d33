// The Magic Formula: H. B. Pacejka, Tire and Vehicle Dynamics, section 4.3, without turn slip, pressure and the load's
// own scaling factors. Members and coefficients carry the names of the formula:
//
//   y(x) = D sin(C atan(B x - E (B x - atan(B x))))
//
// for each pure force; combined slip multiplies by the weights G of section 4.3.2; the aligning torque is that of
// trail, residual torque and offset.
#pragma once

#include "rt/mechanics/tyres/slip.h"
#include "rt/model/elements/slip_tyre.h"

namespace tactus::rt {

struct MagicFormulaLaw {
  /// K_xkappa and -K_yalpha.
  static SlipStiffness stiffness(const MagicFormulaGrip& grip, const SlipTyre& tyre, double load,
                                 double camber) noexcept;

  static SlipForce force(const MagicFormulaGrip& grip, const SlipTyre& tyre, const TyreSlip& slip,
                         const SlipStiffness& stiffness) noexcept;

  /// The largest force of the formula while the wheel stands. A rolling wheel has a higher limit, because its tread
  /// passes through the contact.
  static double limit(const MagicFormulaGrip& grip, const SlipTyre& tyre, const TyreSlip& slip,
                      const SlipStiffness& stiffness, double speed) noexcept;

  /// The formula counts slip against the speed of the wheel's center.
  static double speed(double, double center) noexcept { return center; }
};

}  // namespace tactus::rt
