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

TEST_CASE("a curve passes through its points and goes on straight", "[rt][math]") {
  const Curve c = makeCurve(kX, kTurning);
  for (std::size_t i = 0; i < kX.size(); ++i) CHECK(evaluateCurve(c, kX[i]).value == Approx(kTurning[i]).margin(1e-14));
  for (const double end : {kX.front(), kX.back()}) {
    const double out = end < 0 ? -1 : 1;
    const CurveValue at = evaluateCurve(c, end), near = evaluateCurve(c, end + out),
                     far = evaluateCurve(c, end + 4 * out);
    CHECK(near.value - at.value == Approx(out * at.slope));
    CHECK(far.value - at.value == Approx(4 * out * at.slope));
  }
}

TEST_CASE("a curve keeps between neighbouring points", "[rt][math]") {
  for (const auto& y : {kRising, kTurning}) {
    const Curve c = makeCurve(kX, y);
    for (std::size_t i = 0; i + 1 < kX.size(); ++i)
      for (int k = 0; k <= 50; ++k) {
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
      CHECK(at.slope == Approx((evaluateCurve(c, x + h).value - evaluateCurve(c, x - h).value) / (2 * h)).margin(1e-6));
      CHECK(at.value == Approx((integrateCurve(c, x + h) - integrateCurve(c, x - h)) / (2 * h)).margin(1e-6));
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
