// Devices that drive sessions by datagrams: agreed on by gRPC, spoken with clients/udp/tactus_udp.h.
// Covers: server/service/link_calls.cpp, server/link/device_links.cpp, server/link/device_link_message.cpp
#include "tests/server/link/device.h"
#include "tests/server/link/udp_config.h"
#include "tests/server/service/harness.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <string>
#include <thread>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::server::tests;
using Stub = v1::Simulation::Stub;

namespace {

v1::OpenDeviceLinkRequest request(const std::string& session) {
  v1::OpenDeviceLinkRequest request;
  request.set_session(session);
  request.add_inputs("push_x");
  request.add_inputs("push_y");
  request.add_outputs("body.r.x");
  request.add_outputs("push_y");
  return request;
}

v1::DeviceLink openLink(Harness& harness, const v1::OpenDeviceLinkRequest& request) {
  const auto answer = harness.call(&Stub::OpenDeviceLink, request);
  INFO(answer.status.error_message());
  REQUIRE(answer.status.ok());
  return answer.response;
}

v1::DeviceLink linkNow(Harness& harness, std::uint64_t id) {
  const auto listed = harness.call(&Stub::ListDeviceLinks, v1::ListDeviceLinksRequest{});
  for (const v1::DeviceLink& link : listed.response.links())
    if (link.id() == id) return link;
  FAIL("the link is not listed");
  return {};
}

}  // namespace

TEST_CASE("with an external clock one datagram is one tick, and the state that follows is its answer",
          "[server][link]") {
  Harness harness(withUdp());
  CHECK(harness.create("rig", v1::CLOCK_MODE_EXTERNAL).miss_limit() == 20);
  const v1::DeviceLink opened = openLink(harness, request("rig"));
  CHECK(opened.clock() == v1::CLOCK_MODE_EXTERNAL);
  CHECK(opened.key().size() == 16);
  CHECK(linkNow(harness, opened.id()).key().empty());
  Device device(opened);
  for (std::uint64_t n = 1; n <= 50; ++n) {
    device.send(n, 0, {1, static_cast<double>(n % 7)});
    REQUIRE(device.read() == TACTUS_UDP_STATE);
    CHECK(device.state.tick == static_cast<std::int64_t>(n));
    CHECK(device.state.sim_time_ns == static_cast<std::int64_t>(n) * opened.period_ns());
    CHECK(device.state.sequence == n);
    CHECK(device.state.acknowledged == n);
    CHECK(device.state.index == 0);
    CHECK(device.state.mode == TACTUS_UDP_DRIVEN);
    CHECK(device.value(1) == static_cast<double>(n % 7));
  }
  CHECK(device.value(0) > 0);
  CHECK(harness.get("rig").tick() == 50);
  CHECK(harness.get("rig").state() == v1::SESSION_STATE_RUNNING);

  const v1::DeviceLinkCounts counts = linkNow(harness, opened.id()).counts();
  CHECK(counts.fresh() == 50);
  CHECK(counts.lost() == 0);
  CHECK(counts.states_sent() == 50);
  CHECK(counts.states_missed() == 0);
}

TEST_CASE("a peer without the key gets no answer and cannot change the session", "[server][link]") {
  Harness harness(withUdp());
  harness.create("rig", v1::CLOCK_MODE_EXTERNAL);
  const v1::DeviceLink opened = openLink(harness, request("rig"));
  Device device(opened), stranger(opened);
  device.send(1, 0, {1, 2});
  device.read();
  const std::string hash = harness.get("rig").state_hash();

  const std::vector<std::uint8_t> replayed = device.write(1, 0, {1, 2});
  std::vector<std::uint8_t> forged = device.write(2, 0, {1, 2});
  forged[80] ^= 1;
  ++stranger.link.token;
  std::uint64_t sent = 0;
  for (int i = 0; i < 20; ++i) {
    for (const auto& bytes : {forged, replayed, std::vector<std::uint8_t>{}, std::vector<std::uint8_t>(1472, 0x5a),
                              stranger.write(3, 0, {1, 2})}) {
      stranger.send(bytes);
      ++sent;
    }
  }
  const auto arrived = [&] {
    const v1::DeviceLinkCounts counts = linkNow(harness, opened.id()).counts();
    return counts.forged() + counts.duplicate() + counts.malformed() + counts.wrong_token();
  };
  while (arrived() < sent) std::this_thread::yield();
  const v1::DeviceLinkCounts counts = linkNow(harness, opened.id()).counts();
  CHECK(counts.forged() == 20);
  CHECK(counts.duplicate() == 20);
  CHECK(counts.malformed() == 40);
  CHECK(counts.wrong_token() == 20);
  CHECK(harness.get("rig").state_hash() == hash);

  // The device continues and still gets the answers.
  device.send(2, 0, {1, 2});
  REQUIRE(device.read() == TACTUS_UDP_STATE);
  CHECK(device.state.tick == 2);
  CHECK_FALSE(stranger.hasAnswer());
  CHECK_FALSE(device.hasAnswer());
}

TEST_CASE("an authentic input that cannot be used is refused with its reason and changes nothing", "[server][link]") {
  Harness harness(withUdp());
  harness.create("rig", v1::CLOCK_MODE_EXTERNAL);
  const v1::DeviceLink opened = openLink(harness, request("rig"));
  Device device(opened);
  device.send(1, 0, {1, 2});
  device.read();
  const std::string hash = harness.get("rig").state_hash();

  struct Bad {
    const char* what;
    std::function<void(Device&)> spoil;
    std::int64_t tick;
    std::vector<double> values;
    int code;
    std::uint32_t index;
  };
  const auto nothing = [](Device&) {};
  const Bad table[] = {
      {"NaN", nothing, 0, {1, std::nan("")}, TACTUS_UDP_NOT_FINITE, 1},
      {"infinite", nothing, 0, {-INFINITY, 0}, TACTUS_UDP_NOT_FINITE, 0},
      {"too large", nothing, 0, {1e308, 0}, TACTUS_UDP_OUT_OF_RANGE, 0},
      {"too small", nothing, 2, {std::nextafter(-10, -11), 0}, TACTUS_UDP_OUT_OF_RANGE, 0},
      {"for a tick that is over", nothing, 1, {1, 2}, TACTUS_UDP_LATE, 0},
      {"for a tick far ahead", nothing, 103, {1, 2}, TACTUS_UDP_TOO_FAR, 0},
      {"another layout", [](Device& d) { d.link.input_layout ^= 1; }, 0, {1, 2}, TACTUS_UDP_LAYOUT, 0},
      {"one value", [](Device& d) { d.link.inputs = 1; }, 0, {1}, TACTUS_UDP_LAYOUT, 0},
  };
  std::uint64_t sequence = 1;
  for (const Bad& bad : table) {
    INFO(bad.what);
    const tactus_udp_link good = device.link;
    bad.spoil(device);
    device.send(++sequence, bad.tick, bad.values);
    device.link = good;
    REQUIRE(device.read() == TACTUS_UDP_REFUSAL);
    CHECK(device.state.flags == bad.code);
    CHECK(device.state.index == bad.index);
    CHECK(device.state.acknowledged == sequence);
    CHECK(device.state.tick == 1);
    CHECK(harness.get("rig").state_hash() == hash);
  }
  const v1::DeviceLinkCounts counts = linkNow(harness, opened.id()).counts();
  CHECK(counts.refused_values() == 4);
  CHECK(counts.refused_layout() == 2);
  CHECK(counts.late() == 1);
  CHECK(counts.too_far() == 1);
  CHECK(counts.refusals_sent() == 8);

  // The next good one is the next tick.
  device.send(++sequence, 2, {1, 2});
  REQUIRE(device.read() == TACTUS_UDP_STATE);
  CHECK(device.state.tick == 2);
}

TEST_CASE("a session that does not tick reports that to its device", "[server][link]") {
  Harness harness(withUdp());
  v1::CreateSessionRequest create;
  create.set_name("rig");
  create.set_model_name("puck");
  create.set_clock(v1::CLOCK_MODE_EXTERNAL);
  create.set_stop_tick(3);
  REQUIRE(harness.call(&Stub::CreateSession, create).status.ok());
  Device device(openLink(harness, request("rig")));
  for (std::uint64_t n = 1; n <= 3; ++n) {
    device.send(n, 0, {1, 2});
    REQUIRE(device.read() == TACTUS_UDP_STATE);
  }
  device.send(4, 0, {1, 2});
  REQUIRE(device.read() == TACTUS_UDP_REFUSAL);
  CHECK(device.state.flags == TACTUS_UDP_NOT_TICKING);
  CHECK(device.state.tick == 3);
}

TEST_CASE("a datagram backfills lost ticks with its repeated inputs, or with the held input", "[server][link]") {
  Harness harness(withUdp());
  harness.create("rig", v1::CLOCK_MODE_EXTERNAL);
  const v1::DeviceLink opened = openLink(harness, request("rig"));
  Device device(opened);
  device.send(1, 1, {1, 1});
  device.read();

  // Number 2 is lost and repeated by number 3.
  device.send(3, 3, {3, 3, 2, 2}, 2);
  REQUIRE(device.read() == TACTUS_UDP_STATE);
  CHECK(device.state.tick == 3);
  CHECK(device.state.acknowledged == 3);
  CHECK(device.value(1) == 3);
  CHECK(linkNow(harness, opened.id()).counts().recovered() == 1);

  // Number 4 and 5 are lost for good: their ticks hold the input before.
  device.send(6, 6, {6, 6});
  REQUIRE(device.read() == TACTUS_UDP_STATE);
  CHECK(device.state.tick == 6);
  CHECK(linkNow(harness, opened.id()).counts().lost() == 3);

  // Without a stamp a datagram is a tick, and so is each one that it repeats and that is missing.
  device.send(8, 0, {8, 8, 7, 7, 6, 6}, 3);
  REQUIRE(device.read() == TACTUS_UDP_STATE);
  CHECK(device.state.tick == 8);
  device.send(12, 0, {9, 9});
  REQUIRE(device.read() == TACTUS_UDP_STATE);
  CHECK(device.state.tick == 9);
  CHECK(linkNow(harness, opened.id()).counts().recovered() == 2);
}

TEST_CASE("a datagram whose number leaps over half of all numbers is a tick", "[server][link]") {
  Harness harness(withUdp());
  harness.create("rig", v1::CLOCK_MODE_EXTERNAL);
  Device device(openLink(harness, request("rig")));
  device.send(1, 0, {1, 1});
  device.read();
  std::uint64_t number = 1;
  for (const std::uint64_t leap : {std::uint64_t{1} << 63, ~std::uint64_t{0} - (std::uint64_t{1} << 63) - 10}) {
    const std::int64_t before = device.state.tick;
    number += leap;
    // It repeats two inputs that have not arrived.
    device.send(number, 0, {3, 3, 2, 2, 1, 1}, 3);
    REQUIRE(device.read() == TACTUS_UDP_STATE);
    CHECK(device.state.tick == before + 3);
    CHECK(device.state.acknowledged == number);
  }
}

TEST_CASE("a device without inputs is lost at its miss limit, counted in its own ticks", "[server][link]") {
  Harness harness(withUdp());
  v1::CreateSessionRequest create;
  create.set_name("rig");
  create.set_model_name("puck");
  create.set_clock(v1::CLOCK_MODE_EXTERNAL);
  create.set_miss_limit(5);
  REQUIRE(harness.call(&Stub::CreateSession, create).status.ok());
  Device device(openLink(harness, request("rig")));
  device.send(1, 1, {1, 1});
  device.read();
  CHECK(device.state.mode == TACTUS_UDP_DRIVEN);
  // Ticks 2 to 6 are without an input: in tick 6 the fifth is missing, and the values are held; 7 ends that.
  const auto session = harness.sessions().find("rig");
  device.send(2, 7, {2, 2});
  REQUIRE(device.read() == TACTUS_UDP_STATE);
  CHECK(device.state.tick == 7);
  rt::Snapshot sixth(session->model());
  REQUIRE(session->feed().ring().read(session->feed().ring().newestIndex() - 1, sixth).result == rt::ReadResult::kOk);
  CHECK(sixth.header.tick == 6);
  CHECK(sixth.header.input_mode == rt::InputMode::kHolding);
  CHECK(device.state.mode == TACTUS_UDP_DRIVEN);
}

TEST_CASE("a session that ticks by itself takes inputs by datagrams and sends its states", "[server][link]") {
  Harness harness(withUdp());
  harness.create("rig", v1::CLOCK_MODE_REAL_TIME);
  const v1::DeviceLink opened = openLink(harness, request("rig"));
  Device device(opened);
  harness.start("rig");
  device.send(1, 0, {1, 4});
  do REQUIRE(device.read() == TACTUS_UDP_STATE);
  while (device.state.acknowledged < 1);
  CHECK(device.state.mode == TACTUS_UDP_DRIVEN);
  CHECK(device.value(1) == 4);
  const std::int64_t used_in = device.state.tick - static_cast<std::int64_t>(device.state.index);

  // Not for a tick that is over.
  device.send(2, used_in, {1, 9});
  while (device.read() == TACTUS_UDP_STATE) CHECK(device.value(1) != 9);
  CHECK(device.state.flags == TACTUS_UDP_LATE);
  CHECK(linkNow(harness, opened.id()).counts().late() == 1);

  // Silence counts in ticks, as with any controller.
  device.send(3, 0, {1, 5});
  do device.read();
  while (device.state.mode != TACTUS_UDP_DRIVEN || device.state.acknowledged < 3);
  const std::int64_t heard = device.state.tick - static_cast<std::int64_t>(device.state.index);
  do device.read();
  while (device.state.mode == TACTUS_UDP_DRIVEN);
  CHECK(device.state.tick >= heard + 20);
  v1::GetTimingReportRequest timing;
  timing.set_session("rig");
  const v1::TimingReport report = harness.call(&Stub::GetTimingReport, timing).response;
  REQUIRE(report.readers_size() == 2);
  CHECK(report.readers(0).stream() == "udp");
  CHECK(report.readers(0).sent() > 0);
}

TEST_CASE("a link holds the inputs of its session until it ends", "[server][link]") {
  Harness harness(withUdp());
  harness.create("rig", v1::CLOCK_MODE_REAL_TIME);
  const v1::DeviceLink opened = openLink(harness, request("rig"));
  CHECK(harness.call(&Stub::OpenDeviceLink, request("rig")).detail.reason() == "LEASE_HELD");
  CHECK(harness.tick(openPuck("rig"))->finish().detail.reason() == "LEASE_HELD");

  v1::CloseDeviceLinkRequest close;
  close.set_id(opened.id());
  const auto closed = harness.call(&Stub::CloseDeviceLink, close);
  CHECK_FALSE(closed.response.open());
  CHECK(closed.response.ended() == "closed");
  CHECK(harness.call(&Stub::CloseDeviceLink, close).status.ok());
  CHECK(harness.tick(openPuck("rig"))->opened());
  close.set_id(99);
  CHECK(harness.call(&Stub::CloseDeviceLink, close).detail.reason() == "LINK_UNKNOWN");
}

TEST_CASE("a silent device loses its link, and the session remains", "[server][link]") {
  Harness harness(withUdp());
  harness.create("rig", v1::CLOCK_MODE_EXTERNAL);
  v1::OpenDeviceLinkRequest short_lived = request("rig");
  short_lived.set_idle_limit_ns(20'000'000);
  const v1::DeviceLink opened = openLink(harness, short_lived);
  while (linkNow(harness, opened.id()).open()) std::this_thread::yield();
  CHECK(linkNow(harness, opened.id()).ended() == "the device sent nothing");
  Device heir(openLink(harness, request("rig")));
  heir.send(1, 0, {1, 1});
  CHECK(heir.read() == TACTUS_UDP_STATE);
}

TEST_CASE("a link ends with its session", "[server][link]") {
  Harness harness(withUdp());
  harness.create("rig", v1::CLOCK_MODE_EXTERNAL);
  const v1::DeviceLink opened = openLink(harness, request("rig"));
  v1::DeleteSessionRequest remove;
  remove.set_session("rig");
  REQUIRE(harness.call(&Stub::DeleteSession, remove).status.ok());
  CHECK(linkNow(harness, opened.id()).ended() == "the session was deleted");
}

TEST_CASE("invalid links are refused with the field", "[server][link]") {
  Config config = withUdp();
  config.limits.links.total = 1;
  Harness harness(config);
  harness.create("external", v1::CLOCK_MODE_EXTERNAL);
  harness.create("lockstep", v1::CLOCK_MODE_LOCKSTEP);
  harness.create("chain", v1::CLOCK_MODE_REAL_TIME, "chain:n=16");
  struct Bad {
    const char* what;
    std::function<void(v1::OpenDeviceLinkRequest&)> spoil;
    std::string reason, field;
  };
  const Bad table[] = {
      {"session", [](auto& r) { r.set_session("nobody"); }, "SESSION_UNKNOWN", "session"},
      {"lockstep", [](auto& r) { r.set_session("lockstep"); }, "SESSION_STATE", "session"},
      {"input", [](auto& r) { r.set_inputs(1, "push_z"); }, "SIGNAL_UNKNOWN", "inputs[1]"},
      {"input twice", [](auto& r) { r.set_inputs(1, "push_x"); }, "REQUEST_INVALID", "inputs[1]"},
      {"no input", [](auto& r) { r.clear_inputs(); }, "REQUEST_INVALID", "inputs"},
      {"output", [](auto& r) { r.set_outputs(0, "body.r.q"); }, "SIGNAL_UNKNOWN", "outputs"},
      {"input layout", [](auto& r) { r.set_expected_input_layout_hash(1); }, "LAYOUT_MISMATCH",
       "expected_input_layout_hash"},
      {"output layout", [](auto& r) { r.set_expected_output_layout_hash(1); }, "LAYOUT_MISMATCH",
       "expected_output_layout_hash"},
      {"idle limit", [](auto& r) { r.set_idle_limit_ns(9'999'999); }, "REQUEST_INVALID", "idle_limit_ns"},
      {"too many outputs",
       [](auto& r) {
         r.set_session("chain");
         r.clear_inputs();
         r.set_outputs(0, "*");
         r.mutable_outputs()->RemoveLast();
       },
       "DATAGRAM_TOO_LARGE", "outputs"},
  };
  for (const Bad& bad : table) {
    INFO(bad.what);
    v1::OpenDeviceLinkRequest spoiled = request("external");
    bad.spoil(spoiled);
    const auto answer = harness.call(&Stub::OpenDeviceLink, spoiled);
    CHECK(answer.detail.reason() == bad.reason);
    CHECK(answer.detail.field() == bad.field);
  }
  openLink(harness, request("external"));
  CHECK(harness.call(&Stub::OpenDeviceLink, request("external")).detail.reason() == "LIMIT_EXCEEDED");

  Harness without;
  without.create("external", v1::CLOCK_MODE_EXTERNAL);
  CHECK(without.call(&Stub::OpenDeviceLink, request("external")).detail.reason() == "UDP_DISABLED");
}

TEST_CASE("if a device is the clock, a Tick stream may watch but not drive", "[server][link]") {
  Harness harness(withUdp());
  harness.create("rig", v1::CLOCK_MODE_EXTERNAL);
  const auto refusal = harness.tick(openPuck("rig"))->finish().detail;
  CHECK(refusal.reason() == "SESSION_STATE");
  CHECK_THAT(refusal.hint(), Catch::Contains("tactus link open"));
  v1::TickOpen watching = openPuck("rig");
  watching.clear_inputs();
  auto watcher = harness.tick(watching);
  REQUIRE(watcher->opened());
  Device device(openLink(harness, request("rig")));
  device.send(1, 0, {1, 1});
  device.read();
  CHECK(watcher->frame().tick() == 1);
}

TEST_CASE("a persistent link outlives its idle limit, and its device comes back without an operator",
          "[server][link]") {
  Harness harness(withUdp());
  harness.create("rig", v1::CLOCK_MODE_EXTERNAL);
  v1::OpenDeviceLinkRequest persistent = request("rig");
  persistent.set_persistent(true);
  persistent.set_idle_limit_ns(20'000'000);
  const v1::DeviceLink opened = openLink(harness, persistent);
  CHECK(opened.persistent());
  Device device(opened);
  device.send(1, 0, {1, 2});
  REQUIRE(device.read() == TACTUS_UDP_STATE);
  while (!linkNow(harness, opened.id()).idle()) std::this_thread::yield();
  CHECK(linkNow(harness, opened.id()).open());
  CHECK(harness.get("rig").groups(0).controller().empty());  // others may take the inputs meanwhile

  // The device has started again: a higher number, and none of those between counts as lost.
  device.send(1'000'000, 0, {1, 2});
  REQUIRE(device.read() == TACTUS_UDP_STATE);
  CHECK(device.state.tick == 2);
  const v1::DeviceLink back = linkNow(harness, opened.id());
  CHECK_FALSE(back.idle());
  CHECK(back.counts().lost() == 0);
  CHECK(harness.get("rig").groups(0).controller() == "device link");
}

TEST_CASE("a device that comes back leaves the safe state of its own silence where the operator allowed it",
          "[server][link]") {
  Harness harness(withUdp());
  harness.create("rig", v1::CLOCK_MODE_REAL_TIME, "sedan");  // its throttle has a safe value
  v1::OpenDeviceLinkRequest persistent;
  persistent.set_session("rig");
  persistent.add_inputs("throttle");
  persistent.add_outputs("speed");
  persistent.set_persistent(true);
  persistent.set_leave_safe_state(true);
  persistent.set_idle_limit_ns(50'000'000);
  const v1::DeviceLink opened = openLink(harness, persistent);
  harness.start("rig");
  Device device(opened);
  device.send(1, 0, {0.1});
  while (!linkNow(harness, opened.id()).idle() || harness.get("rig").safe_state().empty()) std::this_thread::yield();
  for (std::uint64_t n = 2; n < 2000 && device.state.mode != TACTUS_UDP_DRIVEN; ++n) {
    device.send(n, 0, {0.1});
    while (device.read() == TACTUS_UDP_STATE && device.hasAnswer()) {}
  }
  CHECK(device.state.mode == TACTUS_UDP_DRIVEN);
}

TEST_CASE("a link that backfills many ticks closes at once", "[server][link]") {
  Harness harness(withUdp());
  harness.create("rig", v1::CLOCK_MODE_EXTERNAL, "sedan");
  v1::OpenDeviceLinkRequest many;
  many.set_session("rig");
  many.set_max_backfilled(10'000);
  many.add_inputs("throttle");
  const v1::DeviceLink opened = openLink(harness, many);
  Device device(opened);
  device.send(1, 10'000, {0});
  while (harness.get("rig").tick() < 2) std::this_thread::yield();
  v1::CloseDeviceLinkRequest close;
  close.set_id(opened.id());
  CHECK(harness.call(&Stub::CloseDeviceLink, close).response.ended() == "closed");
  CHECK(harness.get("rig").tick() < 10'000);
}
