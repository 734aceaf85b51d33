#include "rt/math/lane_functions.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

using namespace tactus::rt;

namespace {

using Quad = Lanes<4>;

}  // namespace

TEST_CASE("the angle of a point in lanes is that of the C library up to 4 units in the last place", "[rt][math]") {
  double worst = 0;
  for (int i = 0; i < 20000; ++i) {
    const double y = std::sin(0.37 * i) * std::pow(10.0, i % 13 - 6),
                 x = std::cos(0.91 * i) * std::pow(10.0, i % 7 - 3);
    const double exact = std::atan2(y, x), found = atan2(Quad(y), Quad(x))[i % 4];
    const double unit = std::nextafter(std::abs(exact), 10.0) - std::abs(exact);
    worst = std::max(worst, std::abs(found - exact) / unit);
  }
  CHECK(worst <= 5);  // 4 of libmvec, 1 of the C library
}

TEST_CASE("the angle of a point has the same bits in every lane, whatever the other lanes hold", "[rt][math]") {
  const double y[4] = {0.25, -3, 1e-30, 0}, x[4] = {-0.5, 2, 1, -1};
  const Quad together = atan2(Quad::from(y), Quad::from(x));
  for (int lane = 0; lane < 4; ++lane)
    for (int place = 0; place < 4; ++place) CHECK(atan2(Quad(y[lane]), Quad(x[lane]))[place] == together[lane]);
}

TEST_CASE("the angles of the axes are exact", "[rt][math]") {
  const double y[4] = {0, 1, 0, -1}, x[4] = {1, 0, -1, 0};
  const Quad angle = atan2(Quad::from(y), Quad::from(x));
  CHECK(angle[0] == 0);
  CHECK(angle[1] == std::numbers::pi / 2);
  CHECK(angle[2] == std::numbers::pi);
  CHECK(angle[3] == -std::numbers::pi / 2);
  CHECK(std::isnan(atan2(Quad(std::numeric_limits<double>::quiet_NaN()), Quad(1.0))[0]));
}
