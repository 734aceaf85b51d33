#include "server/config.h"
#include "rt/error.h"

#include <catch2/catch.hpp>

using namespace tactus::server;
using tactus::Error;

TEST_CASE("clocks are read as they are written", "[server][config]") {
  CHECK(parseClock("real-time").mode == ClockChoice::Mode::kRealTime);
  CHECK(parseClock("free-run").mode == ClockChoice::Mode::kFreeRun);
  CHECK(parseClock("lockstep").mode == ClockChoice::Mode::kLockstep);
  const ClockChoice scaled = parseClock("scaled:0.25");
  CHECK(scaled.mode == ClockChoice::Mode::kScaled);
  CHECK(scaled.scale == 0.25);
  for (const char* text : {"real-time", "free-run", "lockstep", "scaled:0.25"})
    CHECK(formatClock(parseClock(text)) == text);
  for (const char* text :
       {"", "scaled", "scaled:", "scaled:0", "scaled:-1", "scaled:inf", "scaled:nan", "scaled:2x", "realtime"}) {
    INFO(text);
    CHECK_THROWS_AS(parseClock(text), Error);
  }
}

TEST_CASE("overrun policies are read as they are written", "[server][config]") {
  using Policy = tactus::rt::OverrunPolicy;
  CHECK(parseOverrun("stop").policy == Policy::kStop);
  CHECK(parseOverrun("skip").policy == Policy::kSkip);
  CHECK(parseOverrun("slip").policy == Policy::kSlip);
  CHECK(parseOverrun("catch-up 3").policy == Policy::kCatchUp);
  CHECK(parseOverrun("catch-up 3").burst == 3);
  CHECK(parseOverrun("catch-up:12").burst == 12);
  for (const char* text : {"stop", "skip", "slip", "catch-up 7"}) CHECK(formatOverrun(parseOverrun(text)) == text);
  for (const char* text : {"", "halt", "catch-up", "catch-up ", "catch-up 0", "catch-up -1", "catch-up 2x",
                           "catch-up 1.5", "catch-up3", "catch-up 99999999999999999999", "skip 3"}) {
    INFO(text);
    CHECK_THROWS_AS(parseOverrun(text), Error);
  }
}

TEST_CASE("an address of another host is refused without encryption", "[server][config]") {
  for (const char* text : {"127.0.0.1:0", "127.8.9.10:1", "localhost:50051", "[::1]:50051"})
    CHECK(parseEndpoint(text).address == text);
  CHECK(parseEndpoint("unix:/tmp/a.sock").unix_path == "/tmp/a.sock");

  for (const char* text : {"0.0.0.0:50051", "192.168.0.1:1", "[::]:50051", "example.org:1", "*:1", ":50051"}) {
    INFO(text);
    CHECK_THROWS_WITH(parseEndpoint(text), Catch::Contains("loopback"));
  }
  for (const char* text : {"", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536", "127.0.0.1:-1", "unix:"}) {
    INFO(text);
    CHECK_THROWS_AS(parseEndpoint(text), Error);
  }
  CHECK_THROWS_WITH(parseEndpoint("unix:/" + std::string(200, 'x')), Catch::Contains("107"));
}
