#include "server/batch/growth.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <functional>

using namespace tactus::server;

namespace {

Growth growthOver10s(const std::function<double(double)>& f, double wanted) {
  std::vector<double> t, value;
  for (int k = 1; k <= 400; ++k) {
    t.push_back(0.025 * k);
    value.push_back(f(t.back()));
  }
  return growthOf(t, value, wanted);
}

}  // namespace

TEST_CASE("growth tells a power of time from an exponential and extrapolates it", "[server][batch]") {
  for (const double power : {1.0, 2.0}) {
    const Growth growth = growthOver10s([&](double t) { return 1e-3 * std::pow(t, power); }, 100);
    CHECK_FALSE(growth.exponential);
    CHECK(growth.rate == Approx(power).epsilon(1e-9));  // round-off of a logarithm
    CHECK(growth.extrapolated == Approx(1e-3 * std::pow(100, power)).epsilon(1e-6));
    CHECK(growth.reaches_one_at == Approx(std::pow(1e3, 1 / power)).epsilon(1e-6));
  }
  const Growth unstable = growthOver10s([](double t) { return 1e-6 * std::exp(0.5 * t); }, 40);
  CHECK(unstable.exponential);
  CHECK(unstable.rate == Approx(0.5).epsilon(1e-6));  // round-off of a logarithm
  CHECK(unstable.extrapolated == Approx(1e-6 * std::exp(20.0)).epsilon(1e-6));
  CHECK(unstable.text().find("factor e in 2 s") != std::string::npos);
}

TEST_CASE("an error that swings or stays does not grow", "[server][batch]") {
  const Growth swings = growthOver10s([](double t) { return 0.1 * std::abs(std::sin(20 * t)); }, 1000);
  CHECK(swings.text() == "do not grow");
  CHECK(swings.extrapolated == Approx(0.1).epsilon(0.02));  // 1000 s at a power below 0.001
  CHECK(swings.reaches_one_at == 0);
  CHECK_FALSE(growthOver10s([](double) { return 0.0; }, 100).known);
}

TEST_CASE("an error that begins late, or has few samples, has no known growth and counts with the power 3",
          "[server][batch]") {
  // Round-off before the input, errors behind it.
  for (const double begin : {2.6, 5.1, 7.6}) {
    const Growth late = growthOver10s([&](double t) { return t < begin ? 1e-14 : 0.2; }, 20);
    CHECK(late.known == (begin < 5));
    CHECK(late.extrapolated == Approx(begin < 5 ? 0.2 : 1.6).epsilon(1e-12));  // round-off, as below
    CHECK((late.text().find("begin late") != std::string::npos) == (begin > 5));
  }
  // A slow rise of round-off before the input is no exponential either.
  const Growth rising = growthOver10s([](double t) { return t < 8 ? 1e-9 * std::exp(0.03 * t) : 0.2; }, 20);
  CHECK_FALSE(rising.known);
  CHECK(rising.extrapolated == Approx(1.6).epsilon(1e-12));  // round-off of a cube
  const Growth nothing_first = growthOver10s([](double t) { return t < 8 ? 0 : 0.1; }, 100);
  CHECK_FALSE(nothing_first.known);
  CHECK(nothing_first.extrapolated == Approx(100).epsilon(1e-12));  // round-off of a cube
  const Growth few = growthOf({1, 2, 3}, {0.1, 0.2, 0.3}, 6);
  CHECK_FALSE(few.known);
  CHECK(few.extrapolated == Approx(2.4).epsilon(1e-12));  // round-off of a cube
  CHECK(growthOf({1, 2, 3}, {0, 0, 0}, 6).extrapolated == 0);
}

TEST_CASE("a value above one gives the time at which it was so first, not one before the run", "[server][batch]") {
  // A power of time with these values was 1 before 10 ms.
  const Growth slow = growthOver10s([](double t) { return t < 3 ? 0.5 : 3 * std::pow(t / 10, 0.15); }, 10);
  CHECK(slow.reaches_one_at == Approx(3).epsilon(1e-12));  // a sample
  const Growth later = growthOver10s([](double t) { return 0.9 * t / 10; }, 10);
  CHECK(later.reaches_one_at > 10);
}
