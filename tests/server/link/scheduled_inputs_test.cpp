// Inputs that name their ticks: whatever brings them, the run is the same.
#include "tests/server/link/device.h"
#include "tests/server/link/udp_config.h"
#include "tests/server/service/harness.h"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::server::tests;
using Stub = v1::Simulation::Stub;

namespace {

constexpr std::int64_t kTicks = 400;

struct Stamped {
  std::int64_t tick;
  double torque;
};

std::vector<Stamped> inputs() {
  std::vector<Stamped> inputs;
  for (int k = 0; k < 60; ++k) inputs.push_back({3 + 6 * k + k % 4, 0.03 * (k % 17) - 0.2});
  return inputs;
}

void create(Harness& harness, const std::string& name, v1::ClockMode clock, bool scripted = false) {
  v1::CreateSessionRequest request;
  request.set_name(name);
  request.set_model_name("motor_four_bar");
  request.set_clock(clock);
  request.set_stop_tick(kTicks);
  request.set_miss_limit(0);
  for (const Stamped& input : inputs()) {
    if (!scripted) break;
    auto& entry = *request.add_scripted_inputs();
    entry.set_tick(input.tick);
    entry.add_values(input.torque);
  }
  REQUIRE(harness.call(&Stub::CreateSession, request).status.ok());
}

std::string hashAtEnd(Harness& harness, const std::string& name) {
  harness.start(name);
  harness.awaitTick(name, kTicks);
  v1::Session session = harness.get(name);
  while (session.state() == v1::SESSION_STATE_RUNNING) session = harness.get(name);
  CHECK(session.state() == v1::SESSION_STATE_FINISHED);
  return session.state_hash();
}

v1::TickOpen openMotor(const std::string& session) {
  v1::TickOpen open;
  open.set_session(session);
  open.add_inputs("motor");
  return open;
}

v1::TickNotice nextNotice(TickClient& stream) {
  for (;;) {
    const auto response = stream.read();
    REQUIRE(response);
    if (response->has_notice()) return response->notice();
  }
}

}  // namespace

TEST_CASE("inputs scheduled over gRPC, over UDP and as a script give the same hash", "[server][determinism]") {
  Harness harness(withUdp());
  create(harness, "script", v1::CLOCK_MODE_FREE_RUN, true);
  const std::string hash = hashAtEnd(harness, "script");

  for (const v1::ClockMode clock : {v1::CLOCK_MODE_FREE_RUN, v1::CLOCK_MODE_REAL_TIME}) {
    const std::string name = clock == v1::CLOCK_MODE_FREE_RUN ? "free" : "paced";
    create(harness, name, clock);
    auto stream = harness.tick(openMotor(name));
    std::uint64_t sequence = 0;
    for (const Stamped& input : inputs()) stream->send(++sequence, {input.torque}, 0, input.tick);
    // A refusal shows that all inputs before it have arrived.
    stream->send(++sequence, {0}, 0, 1);
    const v1::TickNotice notice = nextNotice(*stream);
    CHECK(notice.input_sequence() == sequence);
    CHECK(notice.detail().reason() == "REQUEST_INVALID");
    CHECK(notice.detail().field() == "for_tick");
    CHECK(hashAtEnd(harness, name) == hash);
    CHECK(harness.sessions().find(name)->timing().inputs_late == 0);
  }

  // A tick a datagram, of a device that does not know what time it is.
  create(harness, "device", v1::CLOCK_MODE_FREE_RUN);
  v1::OpenDeviceLinkRequest request;
  request.set_session("device");
  request.add_inputs("motor");
  request.add_outputs("crank_angle");
  const auto link = harness.call(&Stub::OpenDeviceLink, request);
  REQUIRE(link.status.ok());
  Device device(link.response);
  std::uint64_t sequence = 0;
  for (const Stamped& input : inputs()) device.send(++sequence, input.tick, {input.torque});
  device.send(++sequence, 1, {0});
  while (device.read() != TACTUS_UDP_REFUSAL) {}
  CHECK(device.state.flags == TACTUS_UDP_TOO_FAR);
  CHECK(hashAtEnd(harness, "device") == hash);
}

TEST_CASE("an input for a past tick is refused and counted, and so is one input too many for later ticks",
          "[server][link]") {
  Harness harness;
  create(harness, "bar", v1::CLOCK_MODE_FREE_RUN);
  harness.step("bar", 10);
  auto stream = harness.tick(openMotor("bar"));
  stream->send(1, {0.5}, 0, 10);
  v1::TickNotice notice = nextNotice(*stream);
  CHECK(notice.detail().reason() == "TICK_IN_PAST");
  CHECK(notice.detail().field() == "for_tick");
  std::uint64_t sequence = 1;
  for (int k = 0; k < 65; ++k) stream->send(++sequence, {0.5}, 0, 100 + k);
  notice = nextNotice(*stream);
  CHECK(notice.detail().reason() == "TICK_TOO_FAR");
  CHECK(notice.input_sequence() == sequence);
  v1::GetTimingReportRequest timing;
  timing.set_session("bar");
  const v1::TimingReport report = harness.call(&Stub::GetTimingReport, timing).response;
  CHECK(report.inputs_late() == 1);
  CHECK(report.inputs_refused() == 2);
}
