// Covers: clients/cpp/examples/latency_histogram.h
#include "clients/cpp/examples/latency_histogram.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <vector>

TEST_CASE("percentiles of a histogram are those of the sorted values within a bucket", "[clients]") {
  std::mt19937_64 random(20240229);
  std::lognormal_distribution<double> durations(11.0, 2.0);  // around 60 us, with a long tail
  LatencyHistogram histogram;
  std::vector<double> values;
  for (int i = 0; i < 20'000; ++i) {
    const auto value = static_cast<std::int64_t>(durations(random));
    histogram.add(value);
    values.push_back(static_cast<double>(value));
  }
  std::sort(values.begin(), values.end());

  for (const double q : {0.001, 0.5, 0.9, 0.99, 0.999, 1.0}) {
    const auto rank = static_cast<std::size_t>(std::ceil(q * static_cast<double>(values.size())));
    const double exact = values[std::max<std::size_t>(rank, 1) - 1];
    // A bucket is 1/64 of an octave wide, and its upper edge is what is told.
    CHECK(histogram.percentile(q) >= exact);
    CHECK(histogram.percentile(q) <= exact * (1.0 + 1.0 / 64.0));
  }
  CHECK(histogram.maximum() == values.back());
  CHECK(histogram.count() == values.size());
}

TEST_CASE("a histogram holds the smallest and the largest values, and none", "[clients]") {
  LatencyHistogram histogram;
  CHECK(histogram.percentile(0.5) == 0.0);
  histogram.add(-5);
  CHECK(histogram.percentile(0.5) == 0.0);
  for (std::int64_t value = 0; value < 130; ++value) histogram.add(value);
  CHECK(histogram.percentile(1.0) == 129.0);
  histogram.add(std::int64_t{1} << 62);
  CHECK(histogram.percentile(1.0) == std::ldexp(1.0, 62));
}
