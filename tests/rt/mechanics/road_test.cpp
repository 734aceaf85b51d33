// Obstacles of a road as a rolling disc sees them.
#include "rt/mechanics/road.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace tactus;

namespace {

constexpr double kRadius = 0.4;

}  // namespace

TEST_CASE("a disc rolls over a half cylinder at the right height, from its reach on, without a jump",
          "[rt][mechanics]") {
  rt::Road road;
  road.half_cylinders = {{2.0, 0.05}, {2.1, 0.02}};
  const double reach = std::sqrt((kRadius + 0.05) * (kRadius + 0.05) - kRadius * kRadius);
  CHECK(rt::roadUnderDisc(road, kRadius, 2.0).height == Approx(0.05));
  CHECK(rt::roadUnderDisc(road, kRadius, 2.0).slope == 0.0);
  CHECK(rt::roadUnderDisc(road, kRadius, 2.0 - reach - 1e-9).height == 0.0);
  // First order in the 1e-6 beyond the reach.
  CHECK(rt::roadUnderDisc(road, kRadius, 2.0 - reach + 1e-6).height == Approx(1e-6 * reach / kRadius).epsilon(1e-3));
  CHECK(rt::roadUnderDisc(road, kRadius, 5.0).slope == 0.0);
  double before = 0;
  for (double x = 1.5; x < 2.6; x += 1e-3) {
    const rt::RoadProfile here = rt::roadUnderDisc(road, kRadius, x);
    CHECK(std::abs(here.height - before) < 1e-3);  // no jump: the slope stays below one
    before = here.height;
    const double h = 1e-7;
    const double difference =
        (rt::roadUnderDisc(road, kRadius, x + h).height - rt::roadUnderDisc(road, kRadius, x - h).height) / (2 * h);
    CHECK(here.slope == Approx(difference).epsilon(0).margin(1e-5));
  }
}
