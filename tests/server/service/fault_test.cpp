#include "tests/server/service/harness.h"

#include <catch2/catch.hpp>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::server::tests;
using Stub = v1::Simulation::Stub;

namespace {

// Beyond what a gram survives: its speed overflows.
constexpr double kHuge = 1e308;

}  // namespace

TEST_CASE("a fault is reported in a frame and a notice, and the session keeps its last good state",
          "[server][service]") {
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);
  auto tick = harness.tick(openPuck("rig"));
  tick->send(1, {1, 1});
  const v1::StateFrame good = tick->frame();
  const std::string hash = harness.get("rig").state_hash();

  tick->send(2, {0, kHuge});
  const v1::StateFrame fault = tick->frame();
  CHECK((fault.flags() & v1::FRAME_FLAG_FAULT) != 0);
  CHECK(fault.tick() == good.tick());
  for (int i = 0; i < good.values_size(); ++i) CHECK(fault.values(i) == good.values(i));
  const v1::TickNotice notice = tick->notice();
  CHECK(notice.reason() == "SESSION_FAULTED");
  CHECK_THAT(notice.message(), Catch::Contains("non-finite"));

  const v1::Session session = harness.get("rig");
  CHECK(session.state() == v1::SESSION_STATE_FAULTED);
  CHECK_FALSE(session.fault().empty());
  CHECK(session.state_hash() == hash);

  // Nothing moves it but a reset; the stream is still there.
  tick->send(3, {0, 0});
  CHECK(tick->notice().detail().reason() == "SESSION_STATE");
  v1::StartSessionRequest start;
  start.set_session("rig");
  const auto refused = harness.call(&Stub::StartSession, start);
  CHECK(refused.status.error_code() == grpc::StatusCode::FAILED_PRECONDITION);
  CHECK(refused.detail.reason() == "SESSION_STATE");
  v1::ResetSessionRequest reset;
  reset.set_session("rig");
  REQUIRE(harness.call(&Stub::ResetSession, reset).status.ok());
  CHECK(tick->notice().reason() == "SESSION_RESET");
  tick->send(4, {0, 0});
  CHECK(tick->frame().tick() == 1);
}

TEST_CASE("the fault of one session leaves the others running", "[server][service]") {
  Harness harness;
  harness.create("sick", v1::CLOCK_MODE_REAL_TIME);
  harness.create("well", v1::CLOCK_MODE_REAL_TIME);
  auto watcher = harness.observe(observePuck("well"));
  auto sick = harness.tick(openPuck("sick"));
  harness.start("sick");
  harness.start("well");
  sick->send(1, {0, kHuge});
  while (harness.get("sick").state() != v1::SESSION_STATE_FAULTED) {}

  const std::int64_t tick = harness.get("well").tick();
  while (true) {
    const auto response = watcher->read();
    REQUIRE(response);
    if (response->has_frame() && response->frame().tick() > tick + 5) break;
  }
  CHECK(harness.get("well").state() == v1::SESSION_STATE_RUNNING);

  // The faulted session can still be looked at.
  v1::ReadSignalsRequest read;
  read.set_session("sick");
  read.add_patterns("body.*");
  const auto values = harness.call(&Stub::ReadSignals, read);
  REQUIRE(values.status.ok());
  REQUIRE(values.response.frame().values_size() == 19);
  for (const double value : values.response.frame().values()) CHECK(std::isfinite(value));
}
