// Covers: clients/cpp/session.cpp
#include "clients/cpp/client.h"
#include "tests/clients/cpp/test_server.h"

#include <catch2/catch.hpp>

#include <string>

using tactus::client::Client;
using tactus::client::ClientError;
using tactus::client::Session;
using tactus::test::TestServer;

TEST_CASE("a snapshot of a client continues in another session with the same bits", "[clients][determinism]") {
  const TestServer server;
  const Client client(server.address());
  const Session first = client.createSession("motor_four_bar", tactus::v1::CLOCK_MODE_LOCKSTEP);
  const Session second = client.createSession("motor_four_bar", tactus::v1::CLOCK_MODE_LOCKSTEP);
  auto tick = first.tick();
  for (int n = 1; n <= 30; ++n) tick.step({{"motor", 0.1 * n}});
  const tactus::v1::SessionSnapshot saved = first.saveSnapshot();
  CHECK(saved.tick() == 30);
  CHECK(second.restoreSnapshot(saved).state() == tactus::v1::SESSION_STATE_PAUSED);
  CHECK(second.step(100).state_hash() == first.step(100).state_hash());

  const Session other = client.createSession("four_bar", tactus::v1::CLOCK_MODE_LOCKSTEP);
  try {
    other.restoreSnapshot(saved, true);
    FAIL("another model was accepted");
  } catch (const ClientError& error) {
    CHECK(error.reason() == "SNAPSHOT_INCOMPATIBLE");
    CHECK(error.field() == "snapshot.model_hash");
  }
}

TEST_CASE("an unknown recording cannot be stopped", "[clients]") {
  const TestServer server;
  const Client client(server.address());
  CHECK(client.recordings().empty());
  try {
    client.stopRecording("nobody");
    FAIL("a recording was stopped that there is not");
  } catch (const ClientError& error) { CHECK(error.reason() == "RECORDING_UNKNOWN"); }
}

TEST_CASE("a client sets parameters together between two ticks, and an invalid value is refused", "[clients]") {
  const TestServer server;
  const Client client(server.address());
  const Session session = client.createSession("motor_four_bar", tactus::v1::CLOCK_MODE_LOCKSTEP);
  session.step(9);
  const tactus::v1::ParameterReport report = session.setParameters({{"gravity_y", 0}, {"rocker_mass", 2.0}});
  CHECK(report.first_tick() == 10);
  CHECK(session.parameters({"rocker_mass"}).parameters(0).value() == 2);
  try {
    session.setParameters({{"gravity_y", -1}, {"rocker_mass", 6}});
    FAIL("a value out of range was taken");
  } catch (const ClientError& error) {
    CHECK(error.reason() == "VALUE_OUT_OF_RANGE");
    CHECK(error.field() == "values[1].value");
  }
  CHECK(session.parameters({"gravity_y"}).parameters(0).value() == 0);
}
