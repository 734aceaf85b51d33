#include "rt/math/cubic_weights.h"

#include <catch2/catch.hpp>

using namespace tactus::rt;

namespace {

/// Sum of weights times values at the points -1, 0, 1 and 2.
template <class Function>
double weighted(const double (&w)[4], const Function& f) {
  return w[0] * f(-1) + w[1] * f(0) + w[2] * f(1) + w[3] * f(2);
}

double parabola(double t) {
  return 2 - 3 * t + 0.5 * t * t;
}

}  // namespace

TEST_CASE("cubic weights reproduce parabolas with their first and second derivatives", "[rt][math]") {
  // Tolerances: round-off of four products of numbers up to 10.
  for (const double t : {0.0, 0.2, 0.5, 0.9, 1.0}) {
    const CubicWeights weights(t);
    CHECK(weighted(weights.w, parabola) == Approx(parabola(t)).epsilon(0).margin(1e-14));
    CHECK(weighted(weights.d, parabola) == Approx(-3 + t).epsilon(0).margin(1e-14));
    CHECK(weighted(CubicSecondDerivatives(t).w, parabola) == Approx(1).epsilon(0).margin(1e-14));
  }
}

TEST_CASE("cubic weights pass through the two middle points whatever the values", "[rt][math]") {
  const auto rough = [](double t) { return t == 0 ? 7.0 : t == 1 ? -3.0 : 100 * t; };
  CHECK(weighted(CubicWeights(0).w, rough) == 7);
  CHECK(weighted(CubicWeights(1).w, rough) == -3);
  // The slope at a point is that of the chord between its neighbors, so that it is continuous.
  CHECK(weighted(CubicWeights(0).d, rough) == (rough(1) - rough(-1)) / 2);
  CHECK(weighted(CubicWeights(1).d, rough) == (rough(2) - rough(0)) / 2);
}
