#include "clients/cpp/percentile.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

using namespace tactus::client;

TEST_CASE("percentiles are values that occurred", "[clients]") {
  std::vector<std::int64_t> none, values = {5, 1, 4, 2, 3};
  CHECK(percentileOf(none, 0.5) == 0);
  CHECK(percentileOf(values, 0.0) == 1);
  CHECK(percentileOf(values, 0.5) == 3);
  CHECK(percentileOf(values, 0.99) == 5);
  CHECK(percentileOf(values, 1) == 5);
}

TEST_CASE("percentiles are those of the sorted values", "[clients]") {
  std::mt19937_64 random(20240229);
  std::lognormal_distribution<double> durations(11.0, 2.0);  // around 60 us, with a long tail
  std::vector<std::int64_t> values;
  for (int i = 0; i < 20'000; ++i) values.push_back(static_cast<std::int64_t>(durations(random)));
  std::vector<std::int64_t> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  for (const double share : {0.001, 0.5, 0.9, 0.99, 0.999, 1.0}) {
    const auto rank = static_cast<std::size_t>(std::ceil(share * 20'000));
    CHECK(percentileOf(values, share) == sorted[std::max<std::size_t>(rank, 1) - 1]);
  }
}
