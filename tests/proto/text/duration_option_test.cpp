#include "proto/text/duration_option.h"

#include <catch2/catch.hpp>

#include <vector>

using namespace tactus;

namespace {

/// Reads one option from a command line.
struct Line {
  CLI::App app;
  std::int64_t nanoseconds = 2'000'000;
  double hertz = 0;

  void parse(const std::string& option, const std::string& text) {
    app.parse(std::vector<std::string>{text, option});  // CLI11 takes the arguments in reverse order
  }
};

}  // namespace

TEST_CASE("an option of a duration or a period is read into nanoseconds", "[proto][text]") {
  Line line;
  text::addDuration(line.app, "--duration", line.nanoseconds, "");
  line.parse("--duration", "10s");
  CHECK(line.nanoseconds == 10'000'000'000);

  Line period;
  text::addPeriod(period.app, "--period", period.nanoseconds, "");
  period.parse("--period", "500Hz");
  CHECK(period.nanoseconds == 2'000'000);
}

TEST_CASE("an option of a frequency is read into hertz", "[proto][text]") {
  Line line;
  text::addFrequency(line.app, "--rate", line.hertz, "");
  line.parse("--rate", "60Hz");
  CHECK(line.hertz == 60);
}

TEST_CASE("only an option that allows it takes a duration of zero", "[proto][text]") {
  Line line;
  text::addDurationOrZero(line.app, "--wait", line.nanoseconds, "");
  line.parse("--wait", "0s");
  CHECK(line.nanoseconds == 0);

  Line strict;
  text::addDuration(strict.app, "--duration", strict.nanoseconds, "");
  CHECK_THROWS_AS(strict.parse("--duration", "0s"), CLI::ValidationError);
}

TEST_CASE("a text that is no duration is an error of usage, and a default is shown in the help", "[proto][text]") {
  Line line;
  text::addDuration(line.app, "--duration", line.nanoseconds, "");
  CHECK_THROWS_AS(line.parse("--duration", "soon"), CLI::ValidationError);
  CHECK(line.app.help().find("2ms") != std::string::npos);
}
