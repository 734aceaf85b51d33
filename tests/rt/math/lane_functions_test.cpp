#include "rt/math/lane_functions.h"

#include "rt/math/worst.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
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
    worst = tactus::rt::worst(worst, std::abs(found - exact) / unit);
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

TEST_CASE(
    "functions of one argument in lanes are those of the C library up to 4 units in the last place, with the same bits "
    "in every lane",
    "[rt][math]") {
  struct Function {
    const char* name;
    double (*of_one)(double);
    Quad (*of_four)(const Quad&);
    double reach;  // of the arguments that are tried
  };
  const Function functions[] = {
      {"sin", [](double x) { return std::sin(x); }, [](const Quad& x) { return sin(x); }, 1e3},
      {"cos", [](double x) { return std::cos(x); }, [](const Quad& x) { return cos(x); }, 1e3},
      {"tan", [](double x) { return std::tan(x); }, [](const Quad& x) { return tan(x); }, 1.5},
      {"asin", [](double x) { return std::asin(x); }, [](const Quad& x) { return asin(x); }, 1},
      {"atan", [](double x) { return std::atan(x); }, [](const Quad& x) { return atan(x); }, 1e6},
      {"exp", [](double x) { return std::exp(x); }, [](const Quad& x) { return exp(x); }, 20}};
  for (const Function& f : functions) {
    double worst_error = 0;
    bool same = true;
    for (int i = 0; i < 20000; ++i) {
      const double x = f.reach * std::sin(0.37 * i) * std::pow(10.0, -(i % 7));
      const double exact = f.of_one(x);
      const Quad found = f.of_four(Quad::from(std::array{x, 0.5 * x, -x, 0.0}.data()));
      const double unit = std::nextafter(std::abs(exact), 1e300) - std::abs(exact);
      worst_error = tactus::rt::worst(worst_error, std::abs(found[0] - exact) / unit);
      for (int lane = 0; lane < 4; ++lane) same = same && f.of_four(Quad(x))[lane] == found[0];
    }
    CAPTURE(f.name);
    CHECK(worst_error <= 5);  // 4 of libmvec, 1 of the C library
    CHECK(same);
    CHECK(std::isnan(f.of_four(Quad(std::numeric_limits<double>::quiet_NaN()))[0]));
  }
}

TEST_CASE("comparisons and choices of lanes are those of each number", "[rt][math]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double a[4] = {-2, 3, nan, 0}, b[4] = {1, 3, 1, -1};
  const Quad x = Quad::from(a), y = Quad::from(b);
  const Quad chosen = where(isAbove(x, y), x, y), sizes = size(x);
  for (int lane = 0; lane < 4; ++lane) {
    CHECK(chosen[lane] == where(isAbove(a[lane], b[lane]), a[lane], b[lane]));
    if (lane != 2) CHECK(sizes[lane] == size(a[lane]));
  }
  CHECK(std::isnan(sizes[2]));
  CHECK(isAny(isAbove(x, y)));  // 0 > -1
  CHECK_FALSE(isAny(isAbove(x, Quad(3.0))));
}
