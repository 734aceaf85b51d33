// The Magic Formula: H. B. Pacejka, Tire and Vehicle Dynamics, section 4.3, without turn slip, pressure and the load's
// own scaling factors. Members and coefficients carry the names of the formula:
//
//   y(x) = D sin(C atan(B x - E (B x - atan(B x))))
//
// for each pure force; combined slip multiplies by the weights G of section 4.3.2; the aligning torque is that of
// trail, residual torque and offset.
#pragma once

#include "rt/math/lanes.h"
#include "rt/mechanics/tyres/slip.h"
#include "rt/model/elements/slip_tyre.h"

namespace tactus::rt {

/// What the formula reads of a tyre beside its coefficients.
template <class T>
struct MagicFormulaTyre {
  T nominal_load;  ///< N
  T radius;        ///< m
  T side;          ///< -1 for a mirrored tyre, else 1
};

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

  // The same for four tyres with the same coefficients.
  using Quad = Lanes<4>;
  static SlipStiffnessOf<Quad> stiffness(const MagicFormulaGrip& grip, const MagicFormulaTyre<Quad>& tyre,
                                         const Quad& load, const Quad& camber) noexcept;
  static SlipForceOf<Quad> force(const MagicFormulaGrip& grip, const MagicFormulaTyre<Quad>& tyre,
                                 const TyreSlipOf<Quad>& slip, const SlipStiffnessOf<Quad>& stiffness) noexcept;
  static Quad limit(const MagicFormulaGrip& grip, const TyreSlipOf<Quad>& slip, const Quad& speed) noexcept;
};

}  // namespace tactus::rt
