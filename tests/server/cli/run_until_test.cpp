#include "server/cli/run_until.h"

#include <catch2/catch.hpp>

#include <csignal>
#include <limits>

using tactus::server::RunUntil;

namespace {

constexpr std::int64_t kHour = 3'600'000'000'000;

}  // namespace

TEST_CASE("a signal that comes before the wait ends the wait", "[server][cli]") {
  for (const auto& [signal, why] : {std::pair(SIGTERM, "terminated (SIGTERM)"), {SIGINT, "interrupted (SIGINT)"}}) {
    RunUntil run;
    std::raise(signal);
    CHECK(run.wait(kHour, kHour, [] {}) == why);
  }
}

TEST_CASE("an interval beyond the largest time of the clock gives no report", "[server][cli]") {
  int reports = 0;
  RunUntil run;
  CHECK(run.wait(50'000'000, std::numeric_limits<std::int64_t>::max(), [&] { ++reports; }) == "the duration is over");
  CHECK(reports == 0);
}

TEST_CASE("a wait reports at its interval and ends with its duration", "[server][cli]") {
  int reports = 0;
  RunUntil run;
  CHECK(run.wait(50'000'000, 10'000'000, [&] { ++reports; }) == "the duration is over");
  CHECK(reports > 0);
}
