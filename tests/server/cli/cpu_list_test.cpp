#include "server/cli/cpu_list.h"

#include "rt/error.h"

#include <catch2/catch.hpp>

using namespace tactus;
using namespace tactus::server;

TEST_CASE("a list of cores reads as its numbers, ranges included", "[server][cli]") {
  CHECK(parseCpuList("2") == std::vector<int>{2});
  CHECK(parseCpuList("0,2-4") == std::vector<int>{0, 2, 3, 4});
}

TEST_CASE("a text that is not a list of cores is refused", "[server][cli]") {
  for (const char* text : {"", ",", "1,", "a", "-1", "3-2", "1-", "99999", "1 2"}) {
    INFO(text);
    CHECK_THROWS_AS(parseCpuList(text), Error);
  }
}
