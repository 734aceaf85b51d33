// Covers: rt/math/worst.h
#include "rt/math/lanes.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

using namespace tactus::rt;

namespace {

using Quad = Lanes<4>;

const double kA[4] = {1.5, -2.25, 1e300, 0.1}, kB[4] = {0.3, 7, -1e-300, 3};
const double kNan = std::numeric_limits<double>::quiet_NaN();

/// Whether each lane is what the operation makes of the doubles, bit for bit.
template <class Operation>
bool worksLaneByLane(const Operation& operation) {
  const Quad result = operation(Quad::from(kA), Quad::from(kB));
  for (int lane = 0; lane < 4; ++lane)
    if (result[lane] != operation(kA[lane], kB[lane])) return false;
  return true;
}

}  // namespace

TEST_CASE("arithmetic of lanes has the bits of the arithmetic of doubles", "[rt][math]") {
  CHECK(worksLaneByLane([](auto a, auto b) { return a + b; }));
  CHECK(worksLaneByLane([](auto a, auto b) { return a - b; }));
  CHECK(worksLaneByLane([](auto a, auto b) { return a * b; }));
  CHECK(worksLaneByLane([](auto a, auto b) { return a / b; }));
  CHECK(worksLaneByLane([](auto a, auto b) { return -a * b; }));
  CHECK(worksLaneByLane([](auto a, auto b) {
    a += b, a *= b, a -= b, a /= b;
    return a;
  }));
  const Quad root = sqrt(Quad::from(kB));
  CHECK(root[0] == std::sqrt(kB[0]));
  CHECK(std::isnan(root[2]));
  CHECK(root[3] == std::sqrt(kB[3]));
}

TEST_CASE("lanes are read from memory and written to it in order", "[rt][math]") {
  Quad lanes = Quad::from(kA);
  lanes.set(2, 5);
  double to[4];
  lanes.to(to);
  CHECK(to[0] == kA[0]);
  CHECK(to[1] == kA[1]);
  CHECK(to[2] == 5);
  CHECK(to[3] == kA[3]);
  for (int lane = 0; lane < 4; ++lane) CHECK(Quad(2.5)[lane] == 2.5);
}

TEST_CASE("a lane that is not a number shows in the extremes and in the test of signs", "[rt][math]") {
  const double with_nan[4] = {1, kNan, 3, 4};
  const Quad good = Quad(2), bad = Quad::from(with_nan);
  CHECK(worst(good, bad)[0] == 2);
  CHECK(std::isnan(worst(good, bad)[1]));
  CHECK(worst(good, bad)[2] == 3);
  CHECK(minimum(good, bad)[0] == 1);
  CHECK(std::isnan(minimum(good, bad)[1]));
  CHECK(minimum(good, bad)[3] == 2);
  CHECK(arePositive(good));
  CHECK_FALSE(arePositive(bad));
  CHECK_FALSE(arePositive(Quad(0)));
  CHECK(worst(2.0, 3.0) == 3);
  CHECK(std::isnan(worst(2.0, kNan)));
  CHECK(std::isnan(worst(kNan, 2.0)));
  CHECK(minimum(2.0, 3.0) == 2);
  CHECK(std::isnan(minimum(2.0, kNan)));
}
