#include "rt/mechanics/tyres/linear.h"

#include <cmath>

namespace tactus::rt {

namespace {

/// rho up to which the tread deflects: it carries 0.997 of the friction there.
constexpr double kMaxShare = 3;
/// Keeps quotients of a force that is not there finite, N.
constexpr double kNoForce = 1e-6;

/// Linear force over the friction ellipse.
double shareOf(const LinearGrip& grip, const TyreSlip& slip, double fx, double fy) noexcept {
  const double maximum = slip.friction * slip.load + kNoForce;
  return std::hypot(fx / (grip.longitudinal_friction * maximum), fy / (grip.lateral_friction * maximum));
}

}  // namespace

SlipStiffness LinearLaw::stiffness(const LinearGrip& grip, const SlipTyre&, double, double) noexcept {
  return {grip.longitudinal_stiffness, grip.cornering_stiffness};
}

SlipForce LinearLaw::force(const LinearGrip& grip, const SlipTyre&, const TyreSlip& slip,
                           const SlipStiffness& stiffness) noexcept {
  const double by_angle = stiffness.lateral * slip.tangent;
  const double fx = stiffness.longitudinal * slip.ratio, fy = by_angle - grip.camber_stiffness * slip.camber;
  const double rho = shareOf(grip, slip, fx, fy), rho_4 = rho * rho * rho * rho;
  const double s = 1 / std::sqrt(std::sqrt(1 + rho_4));
  return {fx * s, fy * s, -grip.pneumatic_trail / (1 + rho_4) * by_angle * s * slip.facing};
}

double LinearLaw::limit(const LinearGrip& grip, const SlipTyre&, const TyreSlip& slip, const SlipStiffness& stiffness,
                        double) noexcept {
  const double rho = shareOf(grip, slip, stiffness.longitudinal * slip.ratio, stiffness.lateral * slip.tangent);
  return rho > kMaxShare ? kMaxShare / rho : 1.0;
}

}  // namespace tactus::rt
