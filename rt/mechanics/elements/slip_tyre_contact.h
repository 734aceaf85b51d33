// The contact of a tyre with slip, of one tyre (T is double) or of four in lanes (T is Lanes<4>): how the wheel stands
// on its road, how its tread is dragged, and the load on its body.
#pragma once

#include "rt/math/lane_functions.h"
#include "rt/mechanics/elements/slip_tyre.h"
#include "rt/mechanics/road_surface.h"
#include "rt/mechanics/tyres/slip.h"

#include <cmath>
#include <cstddef>

namespace tactus::rt {

/// The constants of tyres as numbers, in the order of SlipTyre.
template <class T>
struct TyreNumbers {
  static constexpr int kCount = 15;
  T n[kCount];

  static const double* of(const SlipTyre& tyre) noexcept { return tyre.center.data(); }

  TACTUS_INLINE Vec3<T> center() const noexcept { return {n[0], n[1], n[2]}; }
  TACTUS_INLINE Vec3<T> axis() const noexcept { return {n[3], n[4], n[5]}; }
  TACTUS_INLINE const T& radius() const noexcept { return n[6]; }
  TACTUS_INLINE const T& rollingRadius() const noexcept { return n[7]; }
  TACTUS_INLINE const T& stiffness() const noexcept { return n[8]; }
  TACTUS_INLINE const T& damping() const noexcept { return n[9]; }
  TACTUS_INLINE const T& nominalLoad() const noexcept { return n[10]; }
  TACTUS_INLINE const T& relaxation(int i) const noexcept { return n[11 + i]; }
  TACTUS_INLINE const T& rollingResistance() const noexcept { return n[13]; }
  TACTUS_INLINE const T& standstillDamping() const noexcept { return n[14]; }
};
static_assert(offsetof(SlipTyre, standstill_damping) - offsetof(SlipTyre, center) == 14 * sizeof(double));
static_assert(offsetof(SlipTyre, radius) - offsetof(SlipTyre, center) == 6 * sizeof(double));
static_assert(offsetof(SlipTyre, relaxation) - offsetof(SlipTyre, center) == 11 * sizeof(double));

/// The motions of bodies as numbers: r, R, v, omega_w.
template <class T>
struct WheelMotion {
  static constexpr int kCount = 18;
  T n[kCount];

  static const double* of(const BodyMotion& motion) noexcept { return motion.r.data(); }

  TACTUS_INLINE Vec3<T> r() const noexcept { return {n[0], n[1], n[2]}; }
  TACTUS_INLINE Vec3<T> rotated(const Vec3<T>& s) const noexcept {
    Vec3<T> x;
    for (int k = 0; k < 3; ++k) x[k] = n[3 + k] * s[0] + n[6 + k] * s[1] + n[9 + k] * s[2];
    return x;
  }
  TACTUS_INLINE Vec3<T> v() const noexcept { return {n[12], n[13], n[14]}; }
  TACTUS_INLINE Vec3<T> omega() const noexcept { return {n[15], n[16], n[17]}; }
};

namespace contact {

template <class T>
TACTUS_INLINE T dot(const Vec3<T>& a, const Vec3<T>& b) noexcept {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
template <class T>
TACTUS_INLINE Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) noexcept {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
template <class T>
TACTUS_INLINE Vec3<T> sum(const T& x, const Vec3<T>& a, const T& y, const Vec3<T>& b) noexcept {
  return {x * a[0] + y * b[0], x * a[1] + y * b[1], x * a[2] + y * b[2]};
}
template <class T>
TACTUS_INLINE Vec3<T> plus(const Vec3<T>& a, const Vec3<T>& b) noexcept {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

/// A wheel that lies flatter than this (sine of the camber) is not a wheel any more.
inline constexpr double kMaxCamber = 0.95;
/// Speed about which the damping of a standing tread fades and rolling resistance sets in, m/s.
inline constexpr double kStandingSpeed = 1.0, kCreepSpeed = 0.1;
/// Speed in reverse about which the trail goes from behind the contact to its front, m/s: above that of a standing
/// wheel that rocks on its tread.
inline constexpr double kTurnSpeed = 0.1;

/// Velocity of the tread against the road, and its transport through the contact.
template <class T>
struct TreadMotion {
  T slip[2];   ///< velocity of the contact, forward and left, m/s
  T rolling;   ///< omega R, m/s
  T center;    ///< speed of the wheel's center along the road, m/s
  T decay[2];  ///< |V| / sigma, 1/s
  T facing;    ///< 1 ahead and standing, -1 in reverse; linear in V within kTurnSpeed / 2 of -kTurnSpeed
};

template <class T, class Law>
TACTUS_INLINE TreadMotion<T> treadMotion(const TyreNumbers<T>& tyre, const Law& law, const TyreStateOf<T>& s,
                                         const WheelMotion<T>& body, const Vec3<T>& center_arm) noexcept {
  const Vec3<T> v = body.v(), omega = body.omega(), at_contact = plus(v, cross(omega, s.arm));
  TreadMotion<T> m;
  m.slip[0] = dot(s.forward, at_contact);
  m.slip[1] = dot(s.left, at_contact);
  m.center = dot(s.forward, plus(v, cross(omega, center_arm)));
  m.rolling = m.center - m.slip[0];
  const T through = law.speed(m.rolling, m.center), speed = size(through);
  for (int i = 0; i < 2; ++i) m.decay[i] = speed / tyre.relaxation(i);
  m.facing = minimum(T(1), worst(T(-1), T(2 + 2 * through / kTurnSpeed)));
  return m;
}

/// The deflection of the tread at the end of the step, and the forces that it gives.
/// @param states  the internal states of the tyre
/// @param camber  its sine
template <class T, class Law>
TACTUS_INLINE void dragTread(const TyreNumbers<T>& tyre, const Law& law, const TreadMotion<T>& m, const T (&states)[4],
                             double dt, const T& friction, const T& camber, TyreStateOf<T>& s) noexcept {
  using std::atan;
  // Trapezoidal rule: u = (u_prev + h (du/dt_prev - V_s)) / (1 + h |V| / sigma), h = dt/2.
  const double h = 0.5 * dt;
  T u[2];
  // ali3p (38)
  for (int i = 0; i < 2; ++i)
    u[i] = dt > 0 ? T((states[i] + h * (states[2 + i] - m.slip[i])) / (1 + h * m.decay[i])) : states[i];
  TyreSlipOf<T> slip{u[0] / tyre.relaxation(0), u[1] / tyre.relaxation(1), camber, s.load, friction, m.facing};
  const SlipStiffnessOf<T> stiffness = law.stiffness(s.load, camber);
  const T held = law.limit(slip, stiffness, m.center);
  slip.ratio *= held;
  slip.tangent *= held;
  const auto is_held = isAbove(T(1), held);
  for (int i = 0; i < 2; ++i) {
    s.internal_states[i] = u[i] * held;
    s.tread_rate[i] = -m.slip[i] - m.decay[i] * s.internal_states[i];
    s.internal_states[2 + i] = where(is_held, T(0), s.tread_rate[i]);
  }
  s.ratio = slip.ratio;
  s.angle = atan(slip.tangent);

  // The tread of a standing wheel is a spring. Its damping is part of the slip, so that friction limits both.
  const T fade = m.center / kStandingSpeed, damping = tyre.standstillDamping() / (1 + fade * fade);
  slip.ratio -= damping / stiffness.longitudinal * m.slip[0];
  slip.tangent -= damping / stiffness.lateral * m.slip[1];
  const SlipForceOf<T> force = law.force(slip, stiffness);
  s.longitudinal = force.longitudinal;
  s.lateral = force.lateral;
  s.aligning = force.aligning;
  const T k[2] = {stiffness.longitudinal, stiffness.lateral};
  for (int i = 0; i < 2; ++i) s.drag[i] = damping + k[i] / tyre.relaxation(i) * h / (1 + h * m.decay[i]);
}

/// Sets what the tread gives to zero where the road carries no load.
template <class T, class Mask>
TACTUS_INLINE void keepTread(const Mask& bears, TreadMotion<T>& m, TyreStateOf<T>& s) noexcept {
  const auto keep = [&bears](T& x) noexcept { x = where(bears, x, T(0)); };
  for (T* x : {&s.ratio, &s.angle, &s.longitudinal, &s.lateral, &s.aligning, &s.resistance, &m.slip[0], &m.slip[1]})
    keep(*x);
  for (T& x : s.internal_states) keep(x);
  for (int i = 0; i < 2; ++i) {
    keep(s.tread_rate[i]);
    keep(s.drag[i]);
  }
}

/// @param plane  the road under each wheel: normal, distance of the wheel's center, friction
/// @param law    with stiffness(), limit(), force() and speed() of mechanics/tyres/laws.h, without the constants
/// @param[out] touches  whether a wheel touches its road; of one that does not, only `normal` and `deflection` have a
///                      meaning
template <class T, class Law, class Mask>
TACTUS_INLINE TyreStateOf<T> evaluate(const TyreNumbers<T>& tyre, const Law& law, const WheelMotion<T>& body,
                                      const Vec3<T>& center_arm, const Vec3<T>& normal, const T& distance,
                                      const T& friction, const T (&states)[4], double dt, Mask& touches) noexcept {
  using std::asin, std::sqrt;
  const Vec3<T> axis = body.rotated(tyre.axis());
  TyreStateOf<T> s;
  s.normal = normal;
  const T sine = dot(axis, normal), cosine = sqrt(worst(T(0), T(1 - sine * sine)));
  s.deflection = tyre.radius() * cosine - distance;
  touches = isAbove(s.deflection, T(0));
  touches &= isAbove(T(kMaxCamber), size(sine));
  if (!isAny(touches)) return s;

  // How the wheel stands. The lowest point of the unloaded tyre carries the load, the contact the forces along the
  // road.
  const Vec3<T> down = {(sine * axis[0] - normal[0]) / cosine, (sine * axis[1] - normal[1]) / cosine,
                        (sine * axis[2] - normal[2]) / cosine};
  s.camber = asin(sine);
  const Vec3<T> ahead = cross(axis, normal);
  s.forward = {ahead[0] / cosine, ahead[1] / cosine, ahead[2] / cosine};
  s.left = cross(normal, s.forward);
  s.arm = sum(T(1), center_arm, tyre.rollingRadius(), down);
  const Vec3<T> lowest = sum(T(1), center_arm, tyre.radius(), down), omega = body.omega();
  const T rate = -dot(normal, plus(body.v(), cross(omega, lowest)));
  const T elastic = tyre.stiffness() * s.deflection;
  s.load = worst(T(0), T(elastic + tyre.damping() * rate));
  s.stored = 0.5 * elastic * s.deflection;
  s.stiffness = tyre.stiffness();
  s.damping = tyre.damping();

  TreadMotion<T> tread{};
  const auto bears = isAbove(s.load, T(0));
  if (isAny(bears)) {
    tread = treadMotion(tyre, law, s, body, center_arm);
    dragTread(tyre, law, tread, states, dt, friction, sine, s);
    const T creep = tread.rolling / kCreepSpeed;
    s.resistance = -tyre.rollingResistance() * s.load * tyre.rollingRadius() * creep / sqrt(1 + creep * creep);
    keepTread(bears, tread, s);
  }

  const Vec3<T> along = sum(s.longitudinal, s.forward, s.lateral, s.left);
  const Vec3<T> moment = sum(s.aligning, normal, s.resistance, axis);
  const Vec3<T> carried = {s.load * normal[0], s.load * normal[1], s.load * normal[2]};
  s.on_body.force = plus(carried, along);
  s.on_body.torque = plus(plus(cross(lowest, carried), cross(s.arm, along)), moment);
  s.dissipated =
      (s.load - elastic) * rate - s.longitudinal * tread.slip[0] - s.lateral * tread.slip[1] - dot(moment, omega);
  return s;
}

}  // namespace contact

}  // namespace tactus::rt
