// Covers: server/wire/timing_report.cpp
// Covers: server/session/session_timing.cpp
#include "tests/server/service/harness.h"

#include <catch2/catch.hpp>

#include <memory>
#include <thread>
#include <vector>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::server::tests;
using Stub = v1::Simulation::Stub;

namespace {

/// The next frame of a stream; notices on the way are left out.
v1::StateFrame nextFrame(TickClient& tick) {
  while (true) {
    const auto response = tick.read();
    REQUIRE(response);
    if (response->has_frame()) return response->frame();
  }
}

/// The next notice; frames on the way are left out.
v1::TickNotice nextNotice(TickClient& tick) {
  while (true) {
    const auto response = tick.read();
    REQUIRE(response);
    if (response->has_notice()) return response->notice();
  }
}

}  // namespace

TEST_CASE("in real time frames are sent without a request and name the input they used", "[server][service]") {
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_REAL_TIME);
  auto tick = harness.tick(openPuck("rig"));
  REQUIRE(tick->opened());
  CHECK(tick->opening().credit_window() == 8);
  harness.start("rig");

  v1::StateFrame frame = nextFrame(*tick);
  CHECK(frame.input_sequence() == 0);
  tick->send(7, {1, 2}, frame.sequence());
  while (frame.input_sequence() == 0) {
    frame = nextFrame(*tick);
    tick->acknowledge(frame.sequence());
  }
  CHECK(frame.input_sequence() == 7);

  // Without a new input the last one is held, and grows old.
  const v1::StateFrame later = nextFrame(*tick);
  CHECK(later.input_sequence() == 7);
  CHECK(later.input_age_ticks() == frame.input_age_ticks() + (later.tick() - frame.tick()));
  CHECK((later.flags() & v1::FRAME_FLAG_INPUT_HELD) != 0);
}

TEST_CASE("a client that stops reading gets a window of frames, and missed frames are counted", "[server][service]") {
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_REAL_TIME);
  v1::TickOpen open = openPuck("rig");
  open.set_credit_window(4);
  auto tick = harness.tick(open);
  harness.start("rig");
  v1::StateFrame frame = nextFrame(*tick);
  const std::int64_t first_tick =
      frame.tick() - static_cast<std::int64_t>(frame.sequence() + frame.frames_missed()) + 1;

  harness.awaitTick("rig", frame.tick() + 200);
  for (int i = 0; i < 3; ++i) frame = nextFrame(*tick);
  const std::int64_t woken = harness.get("rig").tick();
  tick->acknowledge(frame.sequence());
  frame = nextFrame(*tick);
  CHECK(frame.tick() >= woken);
  CHECK(frame.frames_missed() > 150);
  CHECK(frame.sequence() == 5);
  CHECK(static_cast<std::int64_t>(frame.sequence() + frame.frames_missed()) == frame.tick() - first_tick + 1);
}

TEST_CASE("a refused input in real time leaves the last good one in force", "[server][service]") {
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_REAL_TIME);
  auto tick = harness.tick(openPuck("rig"));
  tick->send(1, {2, 3});
  tick->send(2, {100, 0});
  const v1::TickNotice notice = tick->notice();
  CHECK(notice.reason() == "INPUT_REFUSED");
  CHECK(notice.detail().reason() == "VALUE_OUT_OF_RANGE");
  harness.step("rig", 1);
  CHECK(nextFrame(*tick).input_sequence() == 1);
  v1::ReadSignalsRequest read;
  read.set_session("rig");
  read.add_patterns("push_*");
  const auto values = harness.call(&Stub::ReadSignals, read).response.frame();
  CHECK(values.values(0) == 2);
  CHECK(values.values(1) == 3);
}

TEST_CASE("a listener on the Tick stream needs no inputs", "[server][service]") {
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_REAL_TIME);
  v1::TickOpen open = openPuck("rig");
  open.clear_inputs();
  open.set_output_divisor(5);
  auto tick = harness.tick(open);
  CHECK(tick->opening().output_divisor() == 5);
  harness.step("rig", 21);
  CHECK(nextFrame(*tick).tick() >= 1);
  tick->send(1, {1.0});
  CHECK(nextNotice(*tick).detail().reason() == "REQUEST_INVALID");
  tick->closeInputs();
  CHECK(tick->finish().status.ok());
}

TEST_CASE("a driver that closes its side ends in order, even in a free run", "[server][service]") {
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_FREE_RUN);
  v1::TickOpen open = openPuck("rig");
  open.set_credit_window(4096);
  auto tick = harness.tick(open);
  harness.start("rig");
  nextFrame(*tick);
  tick->closeInputs();
  CHECK(tick->finish().status.ok());
  harness.awaitNoStreams("rig");
}

TEST_CASE("eight sessions run side by side, each with its own driver and its own state", "[server][service]") {
  Harness harness;
  constexpr int kSessions = 8;
  std::vector<std::unique_ptr<TickClient>> drivers;
  for (int i = 0; i < kSessions; ++i) {
    const std::string name = "rig-" + std::to_string(i);
    harness.create(name, i % 2 == 0 ? v1::CLOCK_MODE_LOCKSTEP : v1::CLOCK_MODE_REAL_TIME);
    drivers.push_back(harness.tick(openPuck(name)));
    REQUIRE(drivers.back()->opened());
    if (i % 2 == 1) harness.start(name);
  }
  std::vector<std::thread> threads;
  std::vector<int> frames(kSessions, 0);
  for (std::size_t i = 0; i < kSessions; ++i)
    threads.emplace_back([&, i] {
      for (std::uint64_t n = 1; n <= 100; ++n) {
        if (!drivers[i]->send(n, {static_cast<double>(i), 0}, static_cast<std::uint64_t>(frames[i]))) return;
        auto response = drivers[i]->read();
        while (response && !response->has_frame()) response = drivers[i]->read();
        if (!response) return;
        ++frames[i];
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(frames == std::vector<int>(kSessions, 100));
  for (int i = 0; i < kSessions; i += 2) CHECK(harness.get("rig-" + std::to_string(i)).tick() == 100);

  // The same ticks under other inputs: other states.
  CHECK(harness.get("rig-0").state_hash() != harness.get("rig-2").state_hash());
}
