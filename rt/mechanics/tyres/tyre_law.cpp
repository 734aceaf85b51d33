#include "rt/mechanics/tyres/tyre_law.h"

#include "rt/mechanics/tyres/brush.h"
#include "rt/mechanics/tyres/magic_formula.h"

namespace tactus::rt {

namespace {

/// f(law) with the law of a tyre: the one place that tells the kinds apart.
template <class F>
auto withLaw(const SlipTyre& tyre, F&& f) noexcept {
  switch (tyre.kind) {
    case GripKind::kBrush: return f(BrushLaw{});
    case GripKind::kMagicFormula: break;
  }
  return f(MagicFormulaLaw{});
}

}  // namespace

SlipStiffness slipStiffness(const SlipTyre& tyre, double load, double camber) noexcept {
  return withLaw(tyre, [&](auto law) noexcept { return law.stiffness(tyre, load, camber); });
}

SlipForce slipForce(const SlipTyre& tyre, const TyreSlip& slip) noexcept {
  return withLaw(tyre,
                 [&](auto law) noexcept { return law.force(tyre, slip, law.stiffness(tyre, slip.load, slip.camber)); });
}

double limitOfSlip(const SlipTyre& tyre, const TyreSlip& slip, const SlipStiffness& stiffness, double speed) noexcept {
  return withLaw(tyre, [&](auto law) noexcept { return law.limit(tyre, slip, stiffness, speed); });
}

double treadSpeed(const SlipTyre& tyre, double rolling, double center) noexcept {
  return withLaw(tyre, [&](auto law) noexcept { return law.speed(rolling, center); });
}

}  // namespace tactus::rt
