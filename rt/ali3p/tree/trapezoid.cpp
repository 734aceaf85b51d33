#include "rt/ali3p/tree/trapezoid.h"

#include "rt/math/lane_transpose.h"
#include "rt/math/skew.h"

#include <algorithm>
#include <cmath>

namespace tactus::rt {

namespace {

constexpr int kLanes = 4;
using Quad = Lanes<kLanes>;
using QuadVector3 = Eigen::Matrix<Quad, 3, 1>;
using QuadVector4 = Eigen::Matrix<Quad, 4, 1>;
using QuadMatrix3 = Eigen::Matrix<Quad, 3, 3>;

// As numbers: BodyMotion is r, R, v, omega_w, a, alpha_w; RotationIterate p, p_prev, spin, drift, omega, alpha.
constexpr int kMotionR = 0, kMotionV = 12, kMotionA = 18, kMotionNumbers = 24;
constexpr int kRotationRates = 16, kRotationNumbers = 22;
static_assert(sizeof(BodyMotion) == kMotionNumbers * sizeof(double));
static_assert(sizeof(RotationIterate) >= kRotationNumbers * sizeof(double));

/// Four bodies that follow each other; beyond the last one, that one again.
struct FourBodies {
  std::size_t index[kLanes];

  TACTUS_INLINE FourBodies(int first, int count) noexcept {
    for (int lane = 0; lane < kLanes; ++lane) index[lane] = static_cast<std::size_t>(std::min(first + lane, count - 1));
  }
  /// Numbers of each from `offset` on, in an array of elements of `stride` numbers.
  template <int N>
  TACTUS_INLINE void read(const double* array, int stride, int offset, Quad (&values)[N]) const noexcept {
    const double* rows[kLanes];
    for (int lane = 0; lane < kLanes; ++lane)
      rows[lane] = array + static_cast<std::size_t>(stride) * index[lane] + offset;
    gather(rows, values);
  }
  template <int N>
  TACTUS_INLINE void write(const Quad (&values)[N], double* array, int stride, int offset) const noexcept {
    double* rows[kLanes];
    for (int lane = 0; lane < kLanes; ++lane)
      rows[lane] = array + static_cast<std::size_t>(stride) * index[lane] + offset;
    scatter(values, rows);
  }
};

double* numbersOf(std::vector<BodyMotion>& motions) noexcept {
  return reinterpret_cast<double*>(motions.data());
}
double* numbersOf(std::vector<RotationIterate>& rotations) noexcept {
  return reinterpret_cast<double*>(rotations.data());
}
constexpr int kRotationStride = static_cast<int>(sizeof(RotationIterate) / sizeof(double));

template <int Rows, int Columns>
TACTUS_INLINE void put(const Eigen::Matrix<Quad, Rows, Columns>& from, Quad* to) noexcept {
  for (int k = 0; k < Rows * Columns; ++k) to[k] = from.data()[k];
}

/// Writes the motion that follows from an iterate, and its rates in body axes.
TACTUS_INLINE void follow(const FourBodies& bodies, double dt, const QuadVector3& r, const QuadVector3& v,
                          const QuadVector3& a, const QuadVector4& p, const QuadVector4& p_prev,
                          const QuadVector4& spin, const QuadVector4& drift, Workspace& ws) noexcept {
  const QuadVector4 dp = p - p_prev;
  const double h = 2.0 / dt;
  const QuadVector3 omega = trapezoidalOmega(h, p, dp, spin), alpha = trapezoidalAlpha(h, p, dp, drift);
  const QuadMatrix3 R = rotationMatrix(p);
  Quad motion[kMotionNumbers], rates[6];
  put(r, motion);
  put(R, motion + 3);
  put(v, motion + 12);
  put(QuadVector3(R * omega), motion + 15);
  put(a, motion + 18);
  put(QuadVector3(R * alpha), motion + 21);
  put(omega, rates);
  put(alpha, rates + 3);
  bodies.write(motion, numbersOf(ws.motions), kMotionNumbers, 0);
  bodies.write(rates, numbersOf(ws.rotations), kRotationStride, kRotationRates);
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
  for (int i = 0; i < model.bodyCount(); i += kLanes) {
    const FourBodies bodies(i, model.bodyCount());
    Quad n[kBodyStride];
    bodies.read(s.values(), kBodyStride, 0, n);
    const QuadVector3 r(n + kOffsetR), v(n + kOffsetV), a(n + kOffsetA);
    const QuadVector3 omega(n + kOffsetOmega), alpha(n + kOffsetAlpha);
    const QuadVector4 p_prev(n + kOffsetP);
    const QuadVector4 pd = rateOf(p_prev, omega), pdd = secondRateOf(p_prev, omega, alpha);
    const QuadVector4 spin = 2.0 * pd, drift = 2.0 * ((4 / dt) * pd + pdd);
    const QuadVector4 p = predictedOrientation(dt, p_prev, pd, pdd);
    Quad rotation[16];
    put(p, rotation);
    put(p_prev, rotation + 4);
    put(spin, rotation + 8);
    put(drift, rotation + 12);
    bodies.write(rotation, numbersOf(ws.rotations), kRotationStride, 0);
    // With this r, the rule gives v + dt a and leaves a as it was.
    follow(bodies, dt, r + dt * v + 0.5 * dt * dt * a, v + dt * a, a, p, p_prev, spin, drift, ws);
  }
  std::copy_n(s.lambda(), model.rows, ws.lambda.data());
  std::copy_n(s.jointDisplacements(), model.displacements, ws.displacements.data());
  std::copy_n(s.internalStates(), model.internal_states, ws.internal_states.data());
  ws.internal_dt = dt;
}

double applyIncrement(const Model& model, double dt, Workspace& ws) noexcept {
  const double h = 2.0 / dt;
  Quad largest(0.0);
  for (int i = 0; i < model.bodyCount(); i += kLanes) {
    const FourBodies bodies(i, model.bodyCount());
    Quad increment[6], r[kLanes], v[kLanes], a[kLanes], rotation[16];
    bodies.read(ws.unknowns.data(), 6, 0, increment);
    bodies.read(numbersOf(ws.motions), kMotionNumbers, kMotionR, r);
    bodies.read(numbersOf(ws.motions), kMotionNumbers, kMotionV, v);
    bodies.read(numbersOf(ws.motions), kMotionNumbers, kMotionA, a);
    bodies.read(numbersOf(ws.rotations), kRotationStride, 0, rotation);
    const QuadVector3 dr(increment), dphi(increment + 3);
    const QuadVector4 p = turnedBy(QuadVector4(rotation), dphi);
    Quad turned[4];
    put(p, turned);
    bodies.write(turned, numbersOf(ws.rotations), kRotationStride, 0);
    follow(bodies, dt, QuadVector3(r) + dr, QuadVector3(v) + h * dr, QuadVector3(a) + h * h * dr, p,
           QuadVector4(rotation + 4), QuadVector4(rotation + 8), QuadVector4(rotation + 12), ws);
    largest = worst(largest, worst(dr.squaredNorm(), Quad(model.length * model.length) * dphi.squaredNorm()));
  }
  const double* dlambda = ws.unknowns.data() + 6 * model.bodyCount();
  for (int j = 0; j < model.rows; ++j) ws.lambda[static_cast<std::size_t>(j)] += dlambda[j];
  double of_all = 0;
  for (int lane = 0; lane < kLanes; ++lane) of_all = largest[lane] <= of_all ? of_all : largest[lane];
  return std::sqrt(of_all);
}

}  // namespace tactus::rt
