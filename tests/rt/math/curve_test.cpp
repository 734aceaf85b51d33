#include "rt/math/curve.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <vector>

using namespace tactus::rt;

namespace {

const std::vector<double> kX = {-2, -1, 0, 0.5, 3, 3.1};
const std::vector<double> kRising = {-5, -4.9, 0, 0, 2, 7};
const std::vector<double> kTurning = {1, 3, -2, -2, 4, 0};

}  // namespace

TEST_CASE("a curve passes through its points and continues as a straight line beyond its ends", "[rt][math]") {
  const Curve c = makeCurve(kX, kTurning);
  // Round-off of the cubic at the end of an interval.
  for (std::size_t i = 0; i < kX.size(); ++i)
    CHECK(evaluateCurve(c, kX[i]).value == Approx(kTurning[i]).epsilon(0).margin(1e-14));
  for (const double end : {kX.front(), kX.back()}) {
    const double out = end < 0 ? -1 : 1;
    const CurveValue at = evaluateCurve(c, end), near = evaluateCurve(c, end + out),
                     far = evaluateCurve(c, end + 4 * out);
    CHECK(near.value - at.value == Approx(out * at.slope));
    CHECK(far.value - at.value == Approx(4 * out * at.slope));
  }
}

TEST_CASE("between two points a curve stays between their values", "[rt][math]") {
  for (const auto& y : {kRising, kTurning}) {
    const Curve c = makeCurve(kX, y);
    for (std::size_t i = 0; i + 1 < kX.size(); ++i)
      for (int k = 0; k <= 50; ++k) {
        // Round-off of the cubic, values of up to 7.
        const double value = evaluateCurve(c, kX[i] + (kX[i + 1] - kX[i]) * k / 50).value;
        CHECK(value >= std::min(y[i], y[i + 1]) - 1e-12);
        CHECK(value <= std::max(y[i], y[i + 1]) + 1e-12);
      }
  }
}

TEST_CASE("slope and integral of a curve agree with differences", "[rt][math]") {
  const double h = 1e-6;
  for (const auto& y : {kRising, kTurning}) {
    const Curve c = makeCurve(kX, y);
    for (double x = -3.05; x < 4; x += 0.0731) {
      const CurveValue at = evaluateCurve(c, x);
      // Central differences: the round-off of values up to 10 over h is 1e-9, the truncation less.
      CHECK(at.slope ==
            Approx((evaluateCurve(c, x + h).value - evaluateCurve(c, x - h).value) / (2 * h)).epsilon(0).margin(1e-6));
      CHECK(at.value ==
            Approx((integrateCurve(c, x + h) - integrateCurve(c, x - h)) / (2 * h)).epsilon(0).margin(1e-6));
    }
    CHECK(integrateCurve(c, kX.front()) == 0);
  }
}

TEST_CASE("a curve of two points is a straight line", "[rt][math]") {
  const Curve c = makeCurve({1, 3}, {4, 8});
  for (const double x : {-2.0, 1.0, 1.7, 3.0, 9.0}) {
    CHECK(evaluateCurve(c, x).value == Approx(2 + 2 * x));
    CHECK(evaluateCurve(c, x).slope == Approx(2));
    CHECK(integrateCurve(c, x) == Approx(2 * x + x * x - 3));
  }
}
