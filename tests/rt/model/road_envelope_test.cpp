// The heights of a road as a disc that rolls over them follows them.
#include "rt/model/road_envelope.h"

#include "rt/math/worst.h"
#include "rt/mechanics/road_surface.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace tactus;

TEST_CASE("a disc over heights touches them and is inside them nowhere", "[rt][model]") {
  constexpr double kDisc = 0.3;
  rt::SurfaceGrid heights{0.5, -0.1, 0.05, 61, 5, {}};
  for (int row = 0; row < heights.rows; ++row)
    for (int column = 0; column < heights.columns; ++column)
      heights.values.push_back(0.03 * std::sin(0.7 * row) * std::sin(0.11 * row) + 0.01 * column +
                               (row > 40 ? 0.08 : 0));
  const rt::SurfaceGrid envelope = rt::envelopeOf(heights, kDisc);
  CHECK(envelope.rows * envelope.columns == static_cast<int>(rt::envelopeSize(61, 5, heights.spacing, kDisc)));
  const auto highest = [&](double along, double across) {
    double top = -1;
    for (double s = -kDisc; s <= kDisc; s += 1e-3)
      top = rt::worst(top, rt::smoothOn(heights, along + s, across).value + std::sqrt(kDisc * kDisc - s * s) - kDisc);
    return top;
  };
  // At its own points as near as the places are that it tries; between them as near as the curve through them.
  for (double along = 0.0; along < 4.2; along += 0.05)
    CHECK(rt::smoothOn(envelope, along, 0.05).value == Approx(highest(along, 0.05)).margin(8e-4));
  for (double along = 0.013; along < 4.2; along += 0.037)
    CHECK(rt::smoothOn(envelope, along, 0.02).value == Approx(highest(along, 0.02)).margin(3e-3));
  // Over the step the wheel begins to rise before its center is there, and is where it was long before and after.
  CHECK(rt::smoothOn(envelope, 2.45, 0).value > rt::smoothOn(heights, 2.45, 0).value + 0.03);
  CHECK(rt::smoothOn(envelope, -3, 0).value == Approx(heights.values[2]).epsilon(0).margin(1e-9));
}

TEST_CASE("an envelope of a coarse disc over fine heights stays small", "[rt][model]") {
  rt::SurfaceGrid heights{0, 0, 0.001, 3001, 11, std::vector<double>(3001 * 11, 0.25)};
  const rt::SurfaceGrid envelope = rt::envelopeOf(heights, 0.32);
  CHECK(envelope.spacing == Approx(0.005));
  CHECK(envelope.values.size() < 6000);
  for (const double value : envelope.values) CHECK(value == Approx(0.25));
}
