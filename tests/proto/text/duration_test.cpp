#include "proto/text/duration.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

using namespace tactus::text;

namespace {

struct Row {
  std::string text, duration_ns, period_ns;  // an empty number: the text is refused
};

/// The rows of durations.csv, which the Python reader is held to as well. A text may be quoted.
std::vector<Row> sharedTable() {
  std::ifstream file(TACTUS_SOURCE_DIR "/tests/proto/text/durations.csv");
  std::vector<Row> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    Row row;
    const std::size_t last = line.rfind(','), middle = line.rfind(',', last - 1);
    row.text = line.substr(0, middle);
    if (row.text.starts_with('"')) row.text = row.text.substr(1, row.text.size() - 2);
    row.duration_ns = line.substr(middle + 1, last - middle - 1);
    row.period_ns = line.substr(last + 1);
    rows.push_back(row);
  }
  return rows;
}

void check(std::int64_t (*parse)(std::string_view), const std::string& text, const std::string& expected) {
  INFO('"' << text << '"');
  if (expected.empty())
    CHECK_THROWS_AS(parse(text), std::invalid_argument);
  else
    CHECK(parse(text) == std::stoll(expected));
}

}  // namespace

TEST_CASE("durations and periods read as the table that the Python client shares says", "[proto][text]") {
  const std::vector<Row> rows = sharedTable();
  REQUIRE(rows.size() > 60);
  for (const Row& row : rows) {
    check(parseDuration, row.text, row.duration_ns);
    check(parsePeriod, row.text, row.period_ns);
  }
}

TEST_CASE("a text that is not a duration is refused with the units that there are", "[proto][text]") {
  CHECK_THROWS_WITH(parseDuration("10"), Catch::Contains("ns, us, ms, s, min, h"));
  CHECK_THROWS_WITH(parsePeriod("10"), Catch::Contains("ns, us, ms, s, min, h") && Catch::Contains("Hz, kHz, MHz"));
}

TEST_CASE("a period that is not whole nanoseconds is refused with the nearest that is", "[proto][text]") {
  CHECK_THROWS_WITH(parsePeriod("60Hz"), Catch::Contains("16666667ns"));
  CHECK_THROWS_WITH(parsePeriod("3kHz"), Catch::Contains("333333ns"));
}

TEST_CASE("a frequency needs its unit and is above zero", "[proto][text]") {
  CHECK(parseFrequency("60Hz") == 60);
  CHECK(parseFrequency("0.5Hz") == 0.5);
  CHECK(parseFrequency("2.5kHz") == 2500);
  CHECK(parseFrequency("1e-3MHz") == 1000);
  for (const char* text : {"", "60", "0Hz", "-1Hz", "1s", "60hz", "1 Hz", "nanHz", "infHz"}) {
    INFO(text);
    CHECK_THROWS_AS(parseFrequency(text), std::invalid_argument);
  }
}

TEST_CASE("a formatted duration reads back", "[proto][text]") {
  CHECK(formatDuration(1'000'000) == "1ms");
  CHECK(formatDuration(1'500'000'000) == "1.5s");
  CHECK(formatDuration(999) == "999ns");
  CHECK(formatDuration(0) == "0s");
  CHECK(formatMeasured(65'733) == "65.7us");
  CHECK(formatMeasured(999'600) == "1ms");
  CHECK(formatMeasured(1'234'567'890) == "1.23s");
  CHECK(formatMeasured(999) == "999ns");
  for (const std::int64_t ns : {1LL, 999LL, 1'001LL, 333'333LL, 16'666'667LL, 1'000'000'001LL, 86'400'000'000'000LL})
    CHECK(parseDuration(formatDuration(ns)) == ns);
}
