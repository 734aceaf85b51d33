#include "rt/loop/latency_histogram.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

namespace {

using tactus::rt::LatencyHistogram;
using tactus::rt::LatencySummary;

/// Nearest rank in a sorted sample.
std::int64_t exactPercentile(const std::vector<std::int64_t>& sorted, std::uint64_t per_mille) {
  const std::uint64_t rank = std::max<std::uint64_t>((sorted.size() * per_mille + 999) / 1000, 1);
  return sorted[rank - 1];
}

bool near(std::int64_t value, std::int64_t exact) {
  // Half a bucket of 1/32 of its lower bound, and the nanosecond of integers.
  return std::abs(static_cast<double>(value - exact)) <= static_cast<double>(exact) / 64 + 1;
}

}  // namespace

TEST_CASE("every duration lies in a bucket whose middle is within 1/64 of it", "[rt][loop]") {
  std::mt19937_64 random(20240611);
  std::size_t last = 0;
  for (std::int64_t value = 0; value < 5000; ++value) {
    const std::size_t bucket = LatencyHistogram::bucketOf(value);
    CHECK((bucket == last || bucket == last + 1));
    CHECK(near(LatencyHistogram::middleOf(bucket), value));
    last = bucket;
  }
  for (int i = 0; i < 20'000; ++i) {
    const auto value = static_cast<std::int64_t>(random() >> (24 + random() % 40));
    REQUIRE(value < (std::int64_t{1} << 40));
    CHECK(near(LatencyHistogram::middleOf(LatencyHistogram::bucketOf(value)), value));
  }
  CHECK(LatencyHistogram::bucketOf(-5) == 0);
  CHECK(LatencyHistogram::bucketOf(INT64_MAX) == LatencyHistogram::bucketOf((std::int64_t{1} << 40) - 1));
}

TEST_CASE("octaves count every value in its power of two", "[rt][loop]") {
  auto histogram = std::make_unique<LatencyHistogram>();
  for (const std::int64_t value : {0, 1, 2, 3, 4, 63, 64, 127, 128, 1'000'000}) histogram->record(value, 1);
  histogram->record(INT64_MAX, 1);
  const LatencySummary summary = histogram->summary();
  CHECK(summary.octaves[0] == 1);
  CHECK(summary.octaves[1] == 1);
  CHECK(summary.octaves[2] == 2);
  CHECK(summary.octaves[3] == 1);
  CHECK(summary.octaves[6] == 1);   // 63
  CHECK(summary.octaves[7] == 2);   // 64 and 127
  CHECK(summary.octaves[8] == 1);   // 128
  CHECK(summary.octaves[20] == 1);  // 1 ms
  CHECK(summary.octaves[40] == 1);  // all that is longer
  CHECK(std::accumulate(summary.octaves.begin(), summary.octaves.end(), std::uint64_t{0}) == summary.count);
}

TEST_CASE("percentiles of the histogram agree with those of the sorted values", "[rt][loop]") {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> latency(9.0, 1.7);
  for (const std::size_t count :
       {std::size_t{1}, std::size_t{2}, std::size_t{10}, std::size_t{999}, std::size_t{100'000}}) {
    auto histogram = std::make_unique<LatencyHistogram>();
    std::vector<std::int64_t> values(count);
    std::int64_t tick = 100;
    for (std::int64_t& value : values) {
      value = static_cast<std::int64_t>(latency(random));
      histogram->record(value, tick++);
    }
    const auto worst = std::max_element(values.begin(), values.end()) - values.begin();
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(count);
    std::sort(values.begin(), values.end());

    const LatencySummary summary = histogram->summary();
    CHECK(summary.count == count);
    CHECK(summary.minimum == values.front());
    CHECK(summary.maximum == values.back());
    CHECK(summary.worst_tick == 100 + worst);
    CHECK(summary.mean == Approx(mean).epsilon(1e-12));  // round-off of 1e5 additions in another order
    CHECK(near(summary.p50, exactPercentile(values, 500)));
    CHECK(near(summary.p90, exactPercentile(values, 900)));
    CHECK(near(summary.p99, exactPercentile(values, 990)));
    CHECK(near(summary.p999, exactPercentile(values, 999)));
  }
}

TEST_CASE("an empty histogram and a cleared one report zero", "[rt][loop]") {
  auto histogram = std::make_unique<LatencyHistogram>();
  CHECK(histogram->summary().count == 0);
  histogram->record(5, 1);
  histogram->clear();
  const LatencySummary summary = histogram->summary();
  CHECK(summary.count == 0);
  CHECK(summary.maximum == 0);
  CHECK(summary.p50 == 0);

  // The first value after clearing is a new minimum, even if it is above the old one.
  histogram->record(9, 2);
  CHECK(histogram->summary().minimum == 9);
  CHECK(histogram->summary().worst_tick == 2);
}
