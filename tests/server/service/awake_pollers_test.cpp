#include "server/service/awake_pollers.h"

#include "tests/server/service/harness.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <thread>

using namespace tactus::server;

TEST_CASE("the threads that read from connections do not sleep when a server has no streams", "[server][service]") {
  const tests::Harness harness;
  const std::uint64_t before = sparedSleeps();
  // gRPC lets them sleep after a second without a callback. The test ends with the event, or at the time limit of
  // CTest.
  while (sparedSleeps() < before + 2) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK(sparedSleeps() >= before + 2);
}
