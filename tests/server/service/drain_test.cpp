// Covers: server/service/server.cpp
#include "tests/server/service/harness.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <thread>
#include <vector>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::server::tests;
using Stub = v1::Simulation::Stub;
using grpc::StatusCode;

namespace {

/// Reads to the end of a stream; the reason of the last notice.
template <class Client>
std::string lastNotice(Client& client) {
  std::string reason;
  while (const auto response = client.read())
    if (response->has_notice()) reason = response->notice().reason();
  return reason;
}

}  // namespace

TEST_CASE("at a drain every stream ends with the reason", "[server][service]") {
  Harness harness;
  harness.create("live", v1::CLOCK_MODE_REAL_TIME);
  harness.create("step", v1::CLOCK_MODE_LOCKSTEP);
  harness.start("live");
  auto observer = harness.observe(observePuck("live"));
  auto starved = harness.observe(observePuck("live", 1));
  auto closing = harness.tick(openPuck("step"));
  auto listening = harness.tick(openPuck("live"));
  REQUIRE(listening->opened());

  std::thread drain([&] { harness.server().drain("maintenance"); });
  std::vector<std::thread> readers;
  std::atomic<int> told{0};
  const auto end = [&](auto& client) { readers.emplace_back([&] { told += lastNotice(client) == "DRAINING"; }); };
  end(*observer);
  end(*starved);
  end(*listening);
  CHECK(closing->notice().reason() == "DRAINING");
  closing->closeInputs();
  drain.join();
  for (std::thread& reader : readers) reader.join();
  CHECK(told == 3);

  // An observer, and a driver that closes its side, get the status with its detail.
  for (const auto& answer : {observer->finish(), starved->finish()}) {
    CHECK(answer.status.error_code() == StatusCode::UNAVAILABLE);
    CHECK(answer.status.error_message() == "maintenance");
    CHECK(answer.detail.reason() == "DRAINING");
  }
  const auto closed = closing->finish();
  CHECK(closed.status.error_code() == StatusCode::UNAVAILABLE);
  CHECK(closed.detail.reason() == "DRAINING");

  // One that only listens gets the status.
  const auto listened = listening->finish();
  CHECK(listened.status.error_code() == StatusCode::UNAVAILABLE);
  CHECK(listened.status.error_message() == "maintenance");
}

TEST_CASE("a driver that keeps sending during a drain gets the reason", "[server][service]") {
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);
  auto tick = harness.tick(openPuck("rig"));
  std::thread drain;
  std::string reason;
  for (std::uint64_t i = 1;; ++i) {
    tick->send(i, {0, 0});
    const auto response = tick->read();
    if (!response) break;
    if (response->has_notice()) reason = response->notice().reason();
    if (i == 10) drain = std::thread([&] { harness.server().drain("over"); });
  }
  drain.join();
  const auto answer = tick->finish();
  CHECK(reason == "DRAINING");
  CHECK(answer.status.error_code() == StatusCode::UNAVAILABLE);
  CHECK(answer.detail.reason() == "DRAINING");
}

TEST_CASE("a drain ends a long step and a stream whose reader does not read", "[server][service]") {
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP, "chain:n=32");
  harness.create("flood", v1::CLOCK_MODE_FREE_RUN);
  v1::ObserveRequest everything = observePuck("flood");
  everything.clear_signals();
  everything.add_signals("*");
  auto stalled = harness.observe(everything);
  REQUIRE(stalled->opened());
  harness.start("flood");

  v1::StepSessionRequest step;
  step.set_session("rig");
  step.set_ticks(1'000'000);
  Answer<v1::Session> answer;
  std::thread stepper([&] { answer = harness.call(&Stub::StepSession, step); });
  harness.awaitTick("rig", 1);
  harness.server().drain("over");
  stepper.join();
  CHECK_FALSE(answer.status.ok());
  CHECK(harness.sessions().find("rig")->status().tick < 1'000'000);
  CHECK_FALSE(stalled->finish().status.ok());
}
