#include "rt/ali3p/trapezoid.h"

#include "rt/math/skew.h"

#include <algorithm>

namespace tactus::rt {

namespace {

/// What follows from an orientation.
void setRotationRates(double dt, RotationIterate& q, BodyMotion& motion) noexcept {
  const Vector4d dp = q.p - q.p_prev;
  const double h = 2.0 / dt;
  q.omega = trapezoidalOmega(h, q.p, dp, q.spin);
  q.alpha = trapezoidalAlpha(h, q.p, dp, q.drift);
  motion.R = rotationMatrix(q.p);
  motion.omega_w = motion.R * q.omega;
  motion.alpha_w = motion.R * q.alpha;
}

}  // namespace

RotationRateDerivatives differentiateRotationRates(double dt, const RotationIterate& q,
                                                   const BodyMotion& motion) noexcept {
  // omega = G(p) u with u = 2 h dp - spin: G(p) du gives h, G(dp) u the rest, of which u along p is that by which
  // the rule leaves the sphere.
  const double h = 2.0 / dt;
  const Vector4d dp = q.p - q.p_prev;
  const double along = q.p.dot(h * dp - 0.5 * q.spin), along_2 = q.p.dot(h * h * dp - 0.5 * q.drift);
  return {(h - along) * Matrix3d::Identity() - 0.5 * skew(motion.omega_w),
          (h * h - along_2) * Matrix3d::Identity() - 0.5 * skew(motion.alpha_w)};
}

void predict(const Model& model, double dt, const State& state, Workspace& ws) noexcept {
  const StateView s = state.view();
  for (int i = 0; i < model.bodyCount(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    BodyMotion& motion = ws.motions[k];
    RotationIterate& q = ws.rotations[k];
    // With this r, the rule gives v + dt a and leaves a as it was.
    motion.r = s.r(i) + dt * s.v(i) + 0.5 * dt * dt * s.a(i);
    motion.v = s.v(i) + dt * s.a(i);
    motion.a = s.a(i);
    q.p_prev = s.p(i);
    const Vector4d pd = rateOf(q.p_prev, s.omega(i));
    const Vector4d pdd = secondRateOf(q.p_prev, s.omega(i), s.alpha(i));
    q.spin = 2 * pd;
    q.drift = 2 * ((4 / dt) * pd + pdd);
    q.p = predictedOrientation(dt, q.p_prev, pd, pdd);
    setRotationRates(dt, q, motion);
  }
  std::copy_n(s.lambda(), model.rows, ws.lambda.data());
  std::copy_n(s.coordinate(), model.coordinates, ws.coordinates.data());
  std::copy_n(s.memory(), model.memory, ws.memory.data());
  ws.memory_dt = dt;
}

double applyIncrement(const Model& model, double dt, Workspace& ws) noexcept {
  const double h = 2.0 / dt;
  double largest = 0;
  for (int i = 0; i < model.bodyCount(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Vector3d dr = ConstVec3Map(ws.unknowns.data() + 6 * i);
    const Vector3d dphi = ConstVec3Map(ws.unknowns.data() + 6 * i + 3);
    BodyMotion& motion = ws.motions[k];
    motion.r += dr;
    motion.v += h * dr;
    motion.a += h * h * dr;
    ws.rotations[k].p = turnedBy(ws.rotations[k].p, dphi);
    setRotationRates(dt, ws.rotations[k], motion);
    largest = std::max({largest, dr.squaredNorm(), model.length * model.length * dphi.squaredNorm()});
  }
  const double* dlambda = ws.unknowns.data() + 6 * model.bodyCount();
  for (int j = 0; j < model.rows; ++j) ws.lambda[static_cast<std::size_t>(j)] += dlambda[j];
  return std::sqrt(largest);
}

}  // namespace tactus::rt
