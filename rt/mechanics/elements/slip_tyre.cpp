#include "rt/mechanics/elements/slip_tyre.h"

#include "rt/mechanics/elements/slip_tyre_contact.h"
#include "rt/mechanics/tyres/tyre_law.h"
#include "rt/model/model.h"

#include <algorithm>

namespace tactus::rt {

namespace {

/// The law of one tyre.
struct LawOfOne {
  const SlipTyre& tyre;

  SlipStiffness stiffness(double load, double camber) const noexcept { return slipStiffness(tyre, load, camber); }
  double limit(const TyreSlip& slip, const SlipStiffness& stiffness, double speed) const noexcept {
    return limitOfSlip(tyre, slip, stiffness, speed);
  }
  SlipForce force(const TyreSlip& slip, const SlipStiffness& stiffness) const noexcept {
    return slipForce(tyre, slip, stiffness);
  }
  double speed(double rolling, double center) const noexcept { return treadSpeed(tyre, rolling, center); }
};

}  // namespace

TyreState SlipTyreElement::evaluate(const SlipTyre& tyre, const ElementContext& at) noexcept {
  const Road& road = at.model.roads[static_cast<std::size_t>(tyre.road)];
  TyreNumbers<double> numbers;
  std::copy_n(numbers.of(tyre), numbers.kCount, numbers.n);
  WheelMotion<double> body;
  std::copy_n(body.of(at.motions[tyre.body]), body.kCount, body.n);
  const Vector3d center_arm = body.rotated(tyre.center);
  const RoadPlane plane = roadUnderWheel(road, body.r() + center_arm);
  double states[kSlipTyreInternalStates] = {};
  if (at.input.internal_states) std::copy_n(at.input.internal_states + tyre.internal_states, 4, states);
  bool touches = false;
  return contact::evaluate(numbers, LawOfOne{tyre}, body, center_arm, plane.normal, plane.distance, plane.friction,
                           states, at.input.dt, touches);
}

void SlipTyreElement::addLoad(const SlipTyre& tyre, const TyreState& s, const ElementContext&, Load* loads) noexcept {
  Load& load = loads[tyre.body];
  load.force += s.on_body.force;
  load.torque += s.on_body.torque;
}

void SlipTyreElement::storeStates(const SlipTyre& tyre, const TyreState& s, double* states) noexcept {
  std::copy_n(s.internal_states, kInternalStates, states + tyre.internal_states);
}

void SlipTyreElement::writeRates(const SlipTyre& tyre, const TyreState& s, const double* states,
                                 double* rates) noexcept {
  for (int k = 0; k < kRates; ++k) {
    const int at = tyre.internal_states + k;
    rates[at] = s.tread_rate[k] + kYieldRate * (s.internal_states[k] - states[at]);
  }
}

std::span<const ElementSignal<TyreState>> SlipTyreElement::signals(const SlipTyre&) noexcept {
  static constexpr ElementSignal<TyreState> kSignals[] = {
      {"load", "N", "load on the wheel, normal to the road", &TyreState::load},
      {"deflection", "m", "deflection of the tyre; negative: clear of the road", &TyreState::deflection},
      {"ratio", "1", "longitudinal slip, positive when driving", &TyreState::ratio},
      {"angle", "rad", "slip angle, positive for a positive lateral force", &TyreState::angle},
      {"camber", "rad", "inclination, positive if the top leans to the right", &TyreState::camber},
      {"longitudinal", "N", "force on the wheel, forward along the road", &TyreState::longitudinal},
      {"lateral", "N", "force on the wheel, to its left along the road", &TyreState::lateral},
      {"aligning", "N m", "moment on the wheel about the normal of the road", &TyreState::aligning},
      {"resistance", "N m", "rolling resistance, moment on the wheel about its axis", &TyreState::resistance}};
  return kSignals;
}

}  // namespace tactus::rt
