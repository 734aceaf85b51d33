#include "server/cli/units.h"
#include "rt/error.h"

#include <catch2/catch.hpp>

using namespace tactus::server;
using tactus::Error;

TEST_CASE("durations carry a unit", "[server][units]") {
  CHECK(parseDuration("1ns") == 1);
  CHECK(parseDuration("250us") == 250'000);
  CHECK(parseDuration("0.1ms") == 100'000);
  CHECK(parseDuration("1.5s") == 1'500'000'000);
  CHECK(parseDuration("1e-3s") == 1'000'000);
  CHECK(parseDuration("2min") == 120'000'000'000);
  CHECK(parseDuration("1h") == 3'600'000'000'000);
}

TEST_CASE("what is not a duration is refused, naming the units", "[server][units]") {
  for (const char* text :
       {"", "10", "ms", "1 ms", "1msx", "0s", "-1s", "nans", "infs", "1e30h", "0x10s", "1.2.3s", "10Hz"}) {
    INFO(text);
    CHECK_THROWS_AS(parseDuration(text), Error);
  }
  CHECK_THROWS_WITH(parseDuration("10"), Catch::Contains("ns, us, ms, s, min, h"));
}

TEST_CASE("a period is a duration or a frequency", "[server][units]") {
  CHECK(parsePeriod("1ms") == 1'000'000);
  CHECK(parsePeriod("500Hz") == 2'000'000);
  CHECK(parsePeriod("1kHz") == 1'000'000);
  CHECK(parsePeriod("1MHz") == 1'000);
  CHECK_THROWS_AS(parsePeriod("0Hz"), Error);
  CHECK_THROWS_AS(parsePeriod("1000"), Error);
}

TEST_CASE("a period that is not whole nanoseconds is refused with the nearest that is", "[server][units]") {
  CHECK_THROWS_WITH(parsePeriod("60Hz"), Catch::Contains("16666667ns"));
  CHECK_THROWS_WITH(parsePeriod("3kHz"), Catch::Contains("333333ns"));
}

TEST_CASE("a formatted duration reads back", "[server][units]") {
  CHECK(formatDuration(1'000'000) == "1ms");
  CHECK(formatDuration(1'500'000'000) == "1.5s");
  CHECK(formatDuration(999) == "999ns");
  for (const std::int64_t ns : {1LL, 999LL, 1'001LL, 333'333LL, 16'666'667LL, 1'000'000'001LL, 86'400'000'000'000LL})
    CHECK(parseDuration(formatDuration(ns)) == ns);
}

TEST_CASE("lists of cores", "[server][units]") {
  CHECK(parseCpuList("2") == std::vector<int>{2});
  CHECK(parseCpuList("0,2-4") == std::vector<int>{0, 2, 3, 4});
  for (const char* text : {"", ",", "1,", "a", "-1", "3-2", "1-", "99999", "1 2"}) {
    INFO(text);
    CHECK_THROWS_AS(parseCpuList(text), Error);
  }
}
