#include "clients/cli/commtest.h"

#include <catch2/catch.hpp>

#include <string>

using namespace tactus::client;

TEST_CASE("the verdict on a connection follows from the share of ticks with a new input", "[clients][cli]") {
  CommResult result;
  CHECK(std::string(verdictOf(result)) == "not sufficient");  // nothing got through
  result.ticks = 10'000;
  const auto verdictAt = [&result](std::int64_t fresh) {
    result.fresh = fresh;
    return std::string(verdictOf(result));
  };
  CHECK(verdictAt(10'000) == "good");
  CHECK(verdictAt(9'900) == "good");
  CHECK(verdictAt(9'899) == "fair");
  CHECK(verdictAt(9'500) == "fair");
  CHECK(verdictAt(9'499) == "warning");
  CHECK(verdictAt(9'000) == "warning");
  CHECK(verdictAt(8'999) == "not sufficient");
}
