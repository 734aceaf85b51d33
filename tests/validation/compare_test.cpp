#include "tests/support/compare.h"

#include "rt/math/worst.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <stdexcept>

using namespace tactus::tests;

namespace {

double cubic(double t) {
  return 2 * t * t * t - t * t + 3 * t - 1;
}
double cubicRate(double t) {
  return 6 * t * t - 2 * t + 3;
}

Series sampled(double h, int count) {
  Series s;
  for (int i = 0; i < count; ++i) {
    s.t.push_back(i * h);
    s.value.push_back(cubic(i * h));
    s.rate.push_back(cubicRate(i * h));
  }
  return s;
}

}  // namespace

TEST_CASE("interpolation with rates is exact for cubics and takes samples as they are", "[support]") {
  const Series s = sampled(0.1, 11);
  // Round-off of one cubic.
  for (const double t : {0.0, 0.013, 0.5, 0.777, 1.0}) CHECK(valueAt(s, t) == Approx(cubic(t)).epsilon(1e-14));
  CHECK(valueAt(s, 0.3) == s.value[3]);
  CHECK_THROWS_AS(valueAt(s, 1.01), std::out_of_range);
  CHECK_THROWS_AS(valueAt(s, -0.01), std::out_of_range);
}

TEST_CASE("interpolation without rates has third order", "[support]") {
  const auto worst = [](double h) {
    Series s;
    for (int i = 0; i * h < 3.001; ++i) {
      s.t.push_back(i * h);
      s.value.push_back(std::sin(i * h));
    }
    double error = 0;
    for (double t = 0.01; t < 2.99; t += 0.0137)
      error = tactus::rt::worst(error, std::abs(valueAt(s, t) - std::sin(t)));
    return error;
  };
  CHECK(std::log2(worst(0.1) / worst(0.05)) > 2.7);  // order 3 less the next term of the error
}

TEST_CASE("the R-error is the largest difference inside the window, and no value passes by not being a number",
          "[support]") {
  Series reference = sampled(0.1, 11), computed = sampled(0.1, 11);
  computed.value[4] += 0.25;
  computed.value[9] -= 0.5;
  CHECK(rError(computed, reference, 0, 0.5) == Approx(0.25));
  CHECK(rError(computed, reference, 0, 1) == Approx(0.5));
  CHECK(rError(computed, reference, 0.5, 0.8) == 0);
  computed.value[2] = std::nan("");
  CHECK(std::isinf(rError(computed, reference, 0, 1)));
  CHECK_THROWS(rError(computed, reference, 2, 3));
  const std::vector<double> orders = observedOrders({8, 2, 0.5});
  REQUIRE(orders.size() == 2);
  CHECK(orders[1] == Approx(2));
}

TEST_CASE("reference files are read by column name and a wrong name lists the columns", "[support]") {
  const Table table = Table::reference("chain_8.csv");
  CHECK(table.column("tip_x[m]").front() == 8);
  CHECK(table.series("E[J]").t.back() == Approx(10));
  CHECK_THROWS_WITH(table.column("tip_x"), Catch::Contains("tip_x[m]"));
  CHECK_THROWS_WITH(Table::reference("no_such.csv"), Catch::Contains("no_such.csv"));
}
