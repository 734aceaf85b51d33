// The linear tyre: forces proportional to slip and camber, whatever the load, within a friction ellipse that grows with
// the load.
//
//   f_x = C_kappa kappa,   f_y = C_alpha tan(alpha) - C_gamma gamma                            N
//   rho = |(f_x / (mu_x F_z), f_y / (mu_y F_z))|       linear force over the friction ellipse, 1
//   F = f s,   s = (1 + rho^4)^(-1/4)                  within the ellipse for every slip
//   M_z = -t s^4 C_alpha tan(alpha) s                  the trail fades where the contact slides; in reverse -t, N m
//
// s is smooth in the slip: 1 % below 1 at rho = 0.45, and F is 16 % inside the ellipse at rho = 1, 0.3 % at rho = 3.
// kappa is the slip ratio, alpha the slip angle, gamma the camber (its sine), positive if the top leans to the right.
//
// Linear terms: H. B. Pacejka, Tire and Vehicle Dynamics, section 1.2. The clipping by rho^4 is derived here.
#pragma once

#include "rt/mechanics/tyres/slip.h"
#include "rt/model/elements/slip_tyre.h"

namespace tactus::rt {

struct LinearLaw {
  /// C_kappa and C_alpha, at every load and camber.
  static SlipStiffness stiffness(const LinearGrip& grip, const SlipTyre& tyre, double load, double camber) noexcept;

  static SlipForce force(const LinearGrip& grip, const SlipTyre& tyre, const TyreSlip& slip,
                         const SlipStiffness& stiffness) noexcept;

  /// The slip at which rho = 3 without camber: a tread that slides holds no more.
  static double limit(const LinearGrip& grip, const SlipTyre& tyre, const TyreSlip& slip,
                      const SlipStiffness& stiffness, double speed) noexcept;

  /// Slip counts against the speed of the wheel's center.
  static double speed(double, double center) noexcept { return center; }
};

}  // namespace tactus::rt
