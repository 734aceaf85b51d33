#include "rt/mechanics/elements/slip_tyre.h"

#include "rt/mechanics/road_surface.h"
#include "rt/mechanics/tyres/tyre_law.h"
#include "rt/model/model.h"

#include <algorithm>
#include <cmath>

namespace tactus::rt {

namespace {

/// A wheel that lies flatter than this (sine of the camber) is not a wheel any more.
constexpr double kMaxCamber = 0.95;
/// Speed about which the damping of a standing tread fades and rolling resistance sets in, m/s.
constexpr double kStandingSpeed = 1.0, kCreepSpeed = 0.1;

/// Velocity of the tread against the road, and its transport through the contact.
struct TreadMotion {
  double slip[2];   ///< velocity of the contact, forward and left, m/s
  double rolling;   ///< omega R, m/s
  double center;    ///< speed of the wheel's center along the road, m/s
  double decay[2];  ///< |V| / sigma, 1/s
};

TreadMotion treadMotion(const SlipTyre& tyre, const TyreState& s, const BodyMotion& body,
                        const Vector3d& center_arm) noexcept {
  const Vector3d contact = body.v + body.omega_w.cross(s.arm);
  TreadMotion m;
  m.slip[0] = s.forward.dot(contact);
  m.slip[1] = s.left.dot(contact);
  m.center = s.forward.dot(body.v + body.omega_w.cross(center_arm));
  m.rolling = m.center - m.slip[0];
  const double through = std::abs(treadSpeed(tyre, m.rolling, m.center));
  for (int i = 0; i < 2; ++i) m.decay[i] = through / tyre.relaxation[i];
  return m;
}

/// The deflection of the tread at the end of the step, and the forces that it gives.
/// @param camber  its sine
void dragTread(const SlipTyre& tyre, const TreadMotion& m, const double* internal_states, double dt, double friction,
               double camber, TyreState& s) noexcept {
  // Trapezoidal rule: u = (u_prev + h (du/dt_prev - V_s)) / (1 + h |V| / sigma), h = dt/2.
  const double h = 0.5 * dt;
  double u[2];
  // ali3p (38)
  for (int i = 0; i < 2; ++i)
    u[i] = dt > 0 ? (internal_states[i] + h * (internal_states[2 + i] - m.slip[i])) / (1 + h * m.decay[i])
                  : internal_states[i];
  TyreSlip slip{u[0] / tyre.relaxation[0], u[1] / tyre.relaxation[1], camber, s.load, friction};
  const SlipStiffness stiffness = slipStiffness(tyre, s.load, camber);
  const double held = limitOfSlip(tyre, slip, stiffness, m.center);
  slip.ratio *= held;
  slip.tangent *= held;
  for (int i = 0; i < 2; ++i) {
    s.internal_states[i] = u[i] * held;
    s.tread_rate[i] = -m.slip[i] - m.decay[i] * s.internal_states[i];
    s.internal_states[2 + i] = held < 1 ? 0.0 : s.tread_rate[i];
  }
  s.ratio = slip.ratio;
  s.angle = std::atan(slip.tangent);

  // The tread of a standing wheel is a spring. Its damping is part of the slip, so that friction limits both.
  const double fade = m.center / kStandingSpeed, damping = tyre.standstill_damping / (1 + fade * fade);
  slip.ratio -= damping / stiffness.longitudinal * m.slip[0];
  slip.tangent -= damping / stiffness.lateral * m.slip[1];
  const SlipForce force = slipForce(tyre, slip, stiffness);
  s.longitudinal = force.longitudinal;
  s.lateral = force.lateral;
  s.aligning = force.aligning;
  const double k[2] = {stiffness.longitudinal, stiffness.lateral};
  for (int i = 0; i < 2; ++i) s.drag[i] = damping + k[i] / tyre.relaxation[i] * h / (1 + h * m.decay[i]);
}

}  // namespace

TyreState SlipTyreElement::evaluate(const SlipTyre& tyre, const ElementContext& at) noexcept {
  const Road& road = at.model.roads[static_cast<std::size_t>(tyre.road)];
  const BodyMotion& body = at.motions[tyre.body];
  const Vector3d center_arm = body.R * tyre.center, axis = body.R * tyre.axis;
  const RoadPlane plane = roadUnderWheel(road, tyre.radius, body.r + center_arm);
  TyreState s;
  s.normal = plane.normal;
  const double sine = axis.dot(s.normal), cosine = std::sqrt(std::max(0.0, 1 - sine * sine));
  s.deflection = tyre.radius * cosine - plane.distance;
  if (!(s.deflection > 0) || !(std::abs(sine) < kMaxCamber)) return s;

  // How the wheel stands. The lowest point of the unloaded tyre carries the load, the contact the forces along the
  // road.
  const Vector3d down = (sine * axis - s.normal) / cosine;
  s.camber = std::asin(sine);
  s.forward = axis.cross(s.normal) / cosine;
  s.left = s.normal.cross(s.forward);
  s.arm = center_arm + tyre.rolling_radius * down;
  const Vector3d lowest = center_arm + tyre.radius * down;
  const double rate = -s.normal.dot(body.v + body.omega_w.cross(lowest));
  const double elastic = tyre.stiffness * s.deflection;
  s.load = std::max(0.0, elastic + tyre.damping * rate);
  s.stored = 0.5 * elastic * s.deflection;
  s.stiffness = tyre.stiffness;
  s.damping = tyre.damping;

  TreadMotion tread{};
  if (s.load > 0) {
    tread = treadMotion(tyre, s, body, center_arm);
    dragTread(tyre, tread, at.input.internal_states + tyre.internal_states, at.input.dt, plane.friction, sine, s);
    const double creep = tread.rolling / kCreepSpeed;
    s.resistance = -tyre.rolling_resistance * s.load * tyre.rolling_radius * creep / std::sqrt(1 + creep * creep);
  }

  const Vector3d along = s.longitudinal * s.forward + s.lateral * s.left;
  const Vector3d moment = s.aligning * s.normal + s.resistance * axis;
  s.on_body.force = s.load * s.normal + along;
  s.on_body.torque = lowest.cross(s.load * s.normal) + s.arm.cross(along) + moment;
  s.dissipated =
      (s.load - elastic) * rate - s.longitudinal * tread.slip[0] - s.lateral * tread.slip[1] - moment.dot(body.omega_w);
  return s;
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
