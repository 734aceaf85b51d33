#include "rt/mechanics/tyres/brush.h"

#include <algorithm>
#include <cmath>

namespace tactus::rt {

namespace {

/// Keeps quotients of a force that is not there finite, N.
constexpr double kNoForce = 1e-6;

}  // namespace

SlipStiffness BrushLaw::stiffness(const BrushGrip& grip, const SlipTyre& tyre, double load, double) noexcept {
  const double share = load / tyre.nominal_load;
  const double scale = grip.load_exponent == 1 ? share : std::pow(share, grip.load_exponent);
  return {grip.longitudinal_stiffness * scale, grip.cornering_stiffness * scale};
}

SlipForce BrushLaw::force(const BrushGrip& grip, const SlipTyre&, const TyreSlip& slip,
                          const SlipStiffness& stiffness) noexcept {
  const double fx = stiffness.longitudinal * slip.ratio, fy = stiffness.lateral * slip.tangent;
  const double linear = std::hypot(fx, fy), maximum = grip.friction * slip.friction * slip.load;
  if (!(maximum > kNoForce)) return {};
  const double theta = std::min(linear / (3 * maximum), 1.0), rest = 1 - theta;
  const double share = linear < 3 * maximum ? 1 - theta + theta * theta / 3 : maximum / linear;
  const double trail = grip.contact_half_length / 3 * rest * rest * rest / (1 - theta + theta * theta / 3);
  return {fx * share, fy * share, -trail * fy * share * slip.facing};
}

double BrushLaw::limit(const BrushGrip& grip, const SlipTyre&, const TyreSlip& slip, const SlipStiffness& stiffness,
                       double) noexcept {
  const double size = std::hypot(stiffness.longitudinal * slip.ratio, stiffness.lateral * slip.tangent);
  const double maximum = 3 * grip.friction * slip.friction * slip.load;
  return size > maximum ? maximum / size : 1.0;
}

}  // namespace tactus::rt
