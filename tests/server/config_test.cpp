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

TEST_CASE("a share is read for its kind and stays within what clients may have", "[server][config]") {
  Limits limits;
  setShare(limits, "streams=124");
  CHECK(limits.streams.share == 124);  // 128 less the 4 of the role admin
  setShare(limits, "recordings=0");
  CHECK(limits.recordings.share == 0);
  CHECK(limits.sessions.share == Limits{}.sessions.share);
  for (const char* text : {"streams=125", "streams=-1", "streams=", "streams", "streams=3x", "streams=+3", "stream=3",
                           "=3", "", "streams=99999999999999999999"}) {
    INFO(text);
    CHECK_THROWS_AS(setShare(limits, text), Error);
  }
  CHECK(limits.streams.share == 124);
}

TEST_CASE("one identity alone cannot keep all others out, and of each kind with slots some are for the role admin",
          "[server][config]") {
  const Limits limits;
  for (Quota Limits::*const quota : kQuotas) {
    INFO((limits.*quota).kind);
    CHECK((limits.*quota).share > 0);
    CHECK((limits.*quota).share < (limits.*quota).forClients());
    CHECK(((limits.*quota).reserve > 0 || quota == &Limits::analyses));  // which end by themselves
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

TEST_CASE("the header of a proxy is trusted on a Unix socket alone, in plaintext", "[server][config]") {
  Config config;
  config.access.trust_peer_header = true;
  CHECK(config.access.identifies());
  config.endpoint = parseEndpoint("unix:/tmp/a.sock");
  CHECK_NOTHROW(requireGuarded(config));
  config.access.tls_cert = config.access.tls_key = "x";
  CHECK_THROWS_WITH(requireGuarded(config), Catch::Contains("exclude each other"));
  config.access.tls_cert = config.access.tls_key = "";
  for (const char* text : {"127.0.0.1:0", "0.0.0.0:1", "[::1]:50051"}) {
    config.endpoint = parseEndpoint(text);
    for (const bool insecure : {false, true}) {
      config.access.insecure = insecure;
      CHECK_THROWS_WITH(requireGuarded(config), Catch::Contains("--trust-peer-header needs --listen unix:PATH"));
    }
  }
}

TEST_CASE("an address that other hosts can reach needs TLS and identities, or --insecure", "[server][config]") {
  for (const char* text : {"127.0.0.1:0", "127.8.9.10:1", "localhost:50051", "[::1]:50051", "unix:/tmp/a.sock"}) {
    INFO(text);
    Config config;
    config.endpoint = parseEndpoint(text);
    CHECK(config.endpoint.address == text);
    CHECK_FALSE(isInsecure(config));
    CHECK_NOTHROW(requireGuarded(config));
  }
  CHECK(parseEndpoint("unix:/tmp/a.sock").unix_path == "/tmp/a.sock");

  for (const char* text : {"0.0.0.0:50051", "192.168.0.1:1", "[::]:50051", "example.org:1"}) {
    INFO(text);
    Config config;
    config.endpoint = parseEndpoint(text);
    CHECK(isInsecure(config));
    CHECK_THROWS_WITH(requireGuarded(config), Catch::Contains("--tls-cert and --tls-key, and --tls-client-ca or"));
    config.access.tls_cert = config.access.tls_key = "x";
    CHECK_THROWS_WITH(requireGuarded(config), Catch::Contains("needs --tls-client-ca or --token-file"));
    for (std::string* const identity : {&config.access.tls_client_ca, &config.access.token_file}) {
      *identity = "x";
      CHECK_NOTHROW(requireGuarded(config));
      CHECK_FALSE(isInsecure(config));
      identity->clear();
    }
    config.access = {};
    config.access.token_file = "x";
    CHECK_THROWS_WITH(requireGuarded(config), Catch::Contains("needs --tls-cert and --tls-key."));
    config.access = {};
    config.access.insecure = true;
    CHECK_NOTHROW(requireGuarded(config));
    CHECK(isInsecure(config));
  }
  for (const char* text : {"*:1", ":50051"}) CHECK_THROWS_WITH(parseEndpoint(text), Catch::Contains("0.0.0.0"));
  for (const char* text : {"", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536", "127.0.0.1:-1", "unix:"}) {
    INFO(text);
    CHECK_THROWS_AS(parseEndpoint(text), Error);
  }
  CHECK_THROWS_WITH(parseEndpoint("unix:/" + std::string(200, 'x')), Catch::Contains("107"));
}

TEST_CASE("datagrams of other hosts are allowed where the key of a link is safe", "[server][config]") {
  CHECK(parseUdpEndpoint("127.0.0.1:5", false).port == 5);
  CHECK_THROWS_WITH(parseUdpEndpoint("0.0.0.0:5", false), Catch::Contains("The key of a link travels over gRPC"));
  Config config;
  config.udp = parseUdpEndpoint("0.0.0.0:5", true);
  CHECK(isInsecure(config));
  config.access.tls_cert = config.access.tls_key = config.access.token_file = "x";
  CHECK_FALSE(isInsecure(config));
}

TEST_CASE("a Unix socket is its user's, or its group's as well", "[server][config]") {
  CHECK(parseUnixMode("0600") == 0600);
  CHECK(parseUnixMode("660") == 0660);
  for (const char* text : {"", "0666", "0777", "0400", "4600", "0x180", "rw", "0600 "}) {
    INFO(text);
    CHECK_THROWS_AS(parseUnixMode(text), Error);
  }
}
