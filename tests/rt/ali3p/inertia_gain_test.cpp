#include "rt/ali3p/inertia_gain.h"

#include "rt/ali3p/trapezoidal_rule.h"
#include "rt/math/euler_parameters.h"
#include "rt/math/lanes.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

using namespace tactus::rt;

namespace {

/// The gain at the predictor of a step in which a body turns by `angle` about z.
/// @param alpha  its angular acceleration, body axes, rad/s^2
template <class T>
T gainAt(double angle, const Vector3d& alpha = Vector3d::Zero()) {
  const double dt = 1e-3;
  const Vector4d p = Vector4d(0.3, -0.5, 0.7, 0.4).normalized();
  const Vector3d omega = Vector3d(0, 0, angle / dt);
  const Vector4d pd = rateOf(p, omega), pdd = secondRateOf(p, omega, alpha);
  const Vector4d drift = (8 / dt) * pd + 2 * pdd, moved = predictedOrientation(dt, p, pd, pdd);
  using Parameters = Eigen::Matrix<T, 4, 1>;
  const auto of = [](const Vector4d& v) {
    Parameters all;
    for (int k = 0; k < 4; ++k) all[k] = T(v[k]);
    return all;
  };
  return inertiaGain<T>(dt, kLeastInertiaGain, of(moved), of(p), of(drift));
}

}  // namespace

TEST_CASE("the inertia gain is a sixteenth of the squared angle of a step", "[rt][ali3p]") {
  // The predictor is of second order, so the next term is about the fourth power of the angle.
  for (const double angle : {0.13, 0.2, 0.3, 0.6}) {
    CAPTURE(angle);
    CHECK(gainAt<double>(angle) == Approx(angle * angle / 16).epsilon(0.2 * angle * angle));
  }
}

TEST_CASE("an angular acceleration changes the inertia gain by higher terms alone", "[rt][ali3p]") {
  // alpha dt^2 of 0.02 rad and 0.3 rad of rotation: their product is a hundredth of the gain.
  const double plain = gainAt<double>(0.3), driven = gainAt<double>(0.3, {2e4, 1e4, 2e4});
  CHECK(driven == Approx(plain).epsilon(0.1));
}

TEST_CASE("a small inertia gain is zero, and what is not a number stays so", "[rt][ali3p]") {
  CHECK(gainAt<double>(0.12) == 0);
  CHECK(gainAt<double>(0) == 0);
  CHECK(std::isnan(gainAt<double>(std::numeric_limits<double>::quiet_NaN())));
}

TEST_CASE("the parts of a step have a gain where the step has one", "[rt][ali3p]") {
  CHECK(leastInertiaGain(1e-3, 1e-3) == kLeastInertiaGain);
  // A third of the step turns by a third of the angle.
  CHECK(leastInertiaGain(1e-3, 3e-3) == Approx(kLeastInertiaGain / 9).epsilon(1e-15));
}

TEST_CASE("lanes compute the inertia gain of one number", "[rt][ali3p]") {
  for (const double angle : {0.0, 0.12, 0.13, 0.6}) {
    CAPTURE(angle);
    const Lanes<4> four = gainAt<Lanes<4>>(angle);
    for (int lane = 0; lane < 4; ++lane)
      CHECK(four[lane] == Approx(gainAt<double>(angle)).epsilon(1e-12));  // round-off of another order of sums
  }
}
