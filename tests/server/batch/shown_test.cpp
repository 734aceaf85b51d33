#include "server/batch/shown.h"

#include <catch2/catch.hpp>

using namespace tactus::server;

TEST_CASE("a number in a finding has three significant digits", "[server][batch]") {
  CHECK(shown(0) == "0");
  CHECK(shown(-1234.5) == "-1.23e+03");
  CHECK(shown(0.0012345) == "0.00123");
  CHECK(shown(12) == "12");
}
