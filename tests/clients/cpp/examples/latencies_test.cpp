#include "clients/cpp/examples/latencies.h"

#include <catch2/catch.hpp>

using tactus::example::Latencies;

TEST_CASE("latencies hold negative and very large values, and none", "[clients][examples]") {
  Latencies latencies;
  CHECK(latencies.percentile(0.5) == 0);
  latencies.add(-5);
  CHECK(latencies.percentile(0.5) == 0);
  for (std::int64_t value = 0; value < 130; ++value) latencies.add(value);
  CHECK(latencies.percentile(1.0) == 129);
  latencies.add(std::int64_t{1} << 62);
  CHECK(latencies.percentile(1.0) == std::int64_t{1} << 62);
  CHECK(latencies.count() == 132);
}

TEST_CASE("a long run keeps its newest latencies, and the maximum of all", "[clients][examples]") {
  Latencies latencies(10);
  latencies.add(1'000);
  for (std::int64_t value = 1; value <= 25; ++value) latencies.add(value);
  CHECK(latencies.percentile(0) == 16);
  CHECK(latencies.percentile(1) == 25);
  CHECK(latencies.maximum() == 1'000);
  CHECK(latencies.count() == 26);
}
