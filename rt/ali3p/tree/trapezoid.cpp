#include "rt/ali3p/tree/trapezoid.h"

#include "rt/ali3p/trapezoidal_rule.h"
#include "rt/ali3p/tree/four_bodies.h"
#include "rt/math/skew.h"
#include "rt/model/model.h"

#include <algorithm>
#include <cmath>

namespace tactus::rt {

namespace {

constexpr int kLanes = FourBodies::kLanes;
using Quad = FourBodies::Scalar;
using QuadVector3 = FourBodies::Vector3;
using QuadVector4 = FourBodies::Vector4;
using QuadMatrix3 = FourBodies::Matrix3;

/// Writes the motion that follows from an iterate, and its rates in body axes.
TACTUS_INLINE void follow(const FourBodies& bodies, double dt, const QuadVector3& r, const QuadVector3& v,
                          const QuadVector3& a, const QuadVector4& p, const QuadVector4& p_prev,
                          const QuadVector4& spin, const QuadVector4& drift, TreeIterate& iterate) noexcept {
  const QuadVector4 dp = p - p_prev;
  const double h = 2.0 / dt;
  const QuadVector3 omega = trapezoidalOmega(h, p, dp, spin), alpha = trapezoidalAlpha(h, p, dp, drift);
  const QuadMatrix3 R = rotationMatrix(p);
  Quad motion[kMotionNumbers], rates[6];
  put(r, motion + kMotionR);
  put(R, motion + kMotionRotation);
  put(v, motion + kMotionV);
  put(QuadVector3(R * omega), motion + kMotionOmega);
  put(a, motion + kMotionA);
  put(QuadVector3(R * alpha), motion + kMotionAlpha);
  put(omega, rates);
  put(alpha, rates + 3);
  bodies.write(motion, numbersOf(iterate.motions), kMotionNumbers, 0);
  bodies.write(rates, numbersOf(iterate.rotations), kRotationStride, kRates);
}

}  // namespace

RotationRateDerivatives differentiateRotationRates(double dt, const RotationIterate& q,
                                                   const BodyMotion& motion) noexcept {
  // omega = G(p) u with u = 2 h dp - spin: G(p) du gives h, G(dp) u the rest, of which u along p is that by which
  // the rule leaves the sphere.
  const double h = 2.0 / dt;
  const Vector4d dp = q.p - q.p_prev;
  const double along = q.p.dot(h * dp - 0.5 * q.spin), along_2 = q.p.dot(h * h * dp - 0.5 * q.drift);
  // ali3p (12)
  return {(h - along) * Matrix3d::Identity() - 0.5 * skew(motion.omega_w),
          (h * h - along_2) * Matrix3d::Identity() - 0.5 * skew(motion.alpha_w)};
}

void predict(const Model& model, double dt, const State& from, TreeIterate& iterate) noexcept {
  const StateView s = from.view();
  for (std::size_t i = 0; i < iterate.share.known.size(); i += kLanes) {
    const FourBodies bodies(iterate.share.known, i);
    Quad n[kBodyStride];
    bodies.read(s.values(), kBodyStride, 0, n);
    const QuadVector3 r(n + kOffsetR), v(n + kOffsetV), a(n + kOffsetA);
    const QuadVector3 omega(n + kOffsetOmega), alpha(n + kOffsetAlpha);
    const QuadVector4 p_prev(n + kOffsetP);
    const QuadVector4 pd = rateOf(p_prev, omega), pdd = secondRateOf(p_prev, omega, alpha);
    const QuadVector4 spin = 2.0 * pd, drift = 2.0 * ((4 / dt) * pd + pdd);
    const QuadVector4 p = predictedOrientation(dt, p_prev, pd, pdd);
    Quad rotation[16];
    put(p, rotation + kP);
    put(p_prev, rotation + kPPrev);
    put(spin, rotation + kSpin);
    put(drift, rotation + kDrift);
    bodies.write(rotation, numbersOf(iterate.rotations), kRotationStride, 0);
    // ali3p (5)
    follow(bodies, dt, r + dt * v + 0.5 * dt * dt * a, v + dt * a, a, p, p_prev, spin, drift, iterate);
  }
  std::copy_n(s.lambda(), model.rows, iterate.lambda.data());
}

void loadPlaces(const State& from, TreeIterate& iterate) noexcept {
  const StateView s = from.view();
  constexpr int kPlaceNumbers = kMotionV;
  static_assert(kMotionR == 0 && kMotionRotation == 3 && kPlaceNumbers == 12, "r and R are moved as twelve numbers");
  for (std::size_t i = 0; i < iterate.share.known.size(); i += kLanes) {
    const FourBodies bodies(iterate.share.known, i);
    Quad r[kLanes], p[kLanes], place[kPlaceNumbers];
    bodies.read(s.values(), kBodyStride, kOffsetR, r);
    bodies.read(s.values(), kBodyStride, kOffsetP, p);
    put(QuadVector3(r), place + kMotionR);
    put(rotationMatrix(QuadVector4(p)), place + kMotionRotation);
    bodies.write(place, numbersOf(iterate.motions), kMotionNumbers, 0);
  }
}

void loadIterate(const Model& model, const State& from, TreeIterate& iterate) noexcept {
  const StateView s = from.view();
  for (const int i : iterate.share.known) {
    const auto k = static_cast<std::size_t>(i);
    iterate.motions[k] = bodyMotion(s, i);
    iterate.rotations[k].p = s.p(i);
    iterate.rotations[k].omega = s.omega(i);
    iterate.rotations[k].alpha = s.alpha(i);
  }
  std::copy_n(s.lambda(), model.rows, iterate.lambda.data());
}

double applyIncrement(const Model& model, double dt, const TreeUnknowns& unknowns, TreeIterate& iterate) noexcept {
  const double h = 2.0 / dt;
  Quad largest(0.0);
  for (std::size_t i = 0; i < iterate.share.moved.size(); i += kLanes) {
    const FourBodies bodies(iterate.share.moved, i);
    Quad increment[6], r[kLanes], v[kLanes], a[kLanes], rotation[16];
    bodies.read(unknowns.values.data(), 6, 0, increment);
    bodies.read(numbersOf(iterate.motions), kMotionNumbers, kMotionR, r);
    bodies.read(numbersOf(iterate.motions), kMotionNumbers, kMotionV, v);
    bodies.read(numbersOf(iterate.motions), kMotionNumbers, kMotionA, a);
    bodies.read(numbersOf(iterate.rotations), kRotationStride, 0, rotation);
    const QuadVector3 dr(increment), dphi(increment + 3);
    const QuadVector4 p = turnedBy(QuadVector4(rotation + kP), dphi);  // ali3p (1)
    Quad turned[4];
    put(p, turned);
    bodies.write(turned, numbersOf(iterate.rotations), kRotationStride, 0);
    // ali3p (2)
    follow(bodies, dt, QuadVector3(r) + dr, QuadVector3(v) + h * dr, QuadVector3(a) + h * h * dr, p,
           QuadVector4(rotation + kPPrev), QuadVector4(rotation + kSpin), QuadVector4(rotation + kDrift), iterate);
    largest = worst(largest, worst(dr.squaredNorm(), Quad(model.length * model.length) * dphi.squaredNorm()));
  }
  const double* dlambda = unknowns.rows(model.bodyCount());
  for (const RowRange& range : iterate.share.rows)
    for (int j = range.first; j < range.end; ++j) iterate.lambda[static_cast<std::size_t>(j)] += dlambda[j];
  double of_all = 0;
  for (int lane = 0; lane < kLanes; ++lane) of_all = worst(of_all, largest[lane]);
  return std::sqrt(of_all);
}

}  // namespace tactus::rt
