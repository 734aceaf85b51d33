// Covers: server/session/notice.cpp, server/stream/frame_pump.h, server/stream/observers.cpp
#include "tests/server/service/harness.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <thread>
#include <vector>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::server::tests;
using Stub = v1::Simulation::Stub;

TEST_CASE("a reader of an idle session gets its state at once", "[server][service]") {
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_REAL_TIME);
  auto observe = harness.observe(observePuck("rig"));
  REQUIRE(observe->opened());
  CHECK(observe->opening().layout().signals_size() == 3);
  const v1::StateFrame frame = observe->frame();
  CHECK(frame.tick() == 0);
  CHECK(frame.sequence() == 1);
  CHECK(harness.get("rig").observers() == 1);
}

TEST_CASE("a queue that keeps up gets every tick", "[server][service]") {
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);
  v1::ObserveRequest request = observePuck("rig");
  request.set_delivery(v1::DELIVERY_QUEUE);
  request.set_queue_depth(300);
  auto observe = harness.observe(request);
  CHECK(observe->frame().tick() == 0);
  harness.step("rig", 250);
  bool ordered = true;
  for (std::int64_t tick = 1; tick <= 250;) {
    const auto response = observe->read();
    REQUIRE(response);
    if (!response->has_frame()) continue;
    ordered = ordered && response->frame().tick() == tick && response->frame().frames_missed() == 0;
    ++tick;
  }
  CHECK(ordered);
}

TEST_CASE("decimation sends every n-th tick", "[server][service]") {
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);
  v1::ObserveRequest request = observePuck("rig");
  request.set_delivery(v1::DELIVERY_QUEUE);
  request.set_every(10);
  auto observe = harness.observe(request);
  CHECK(observe->frame().tick() == 0);
  harness.step("rig", 100);
  for (std::int64_t tick = 10; tick <= 100;) {
    const auto response = observe->read();
    REQUIRE(response);
    if (!response->has_frame()) continue;
    CHECK(response->frame().tick() == tick);
    CHECK(response->frame().frames_missed() == 0);
    tick += 10;
  }
}

TEST_CASE("a stalled reader wakes to at most a window of old frames, then to the newest; every drop is counted",
          "[server][service]") {
  constexpr std::uint64_t kWindow = 8;
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);
  auto observe = harness.observe(observePuck("rig", kWindow));
  REQUIRE(observe->opened());
  CHECK(observe->opening().credit_window() == kWindow);

  // While the reader stalls, each tick is seen by the stream or not; it may send a window and no more.
  // 5000 ticks are 5 s of a session at 1 kHz.
  for (int i = 0; i < 500; ++i) harness.step("rig", 1);
  harness.step("rig", 4500);
  std::vector<v1::StateFrame> frames;
  for (std::uint64_t i = 0; i < kWindow;) {
    const auto response = observe->read();
    REQUIRE(response);
    if (!response->has_frame()) continue;
    frames.push_back(response->frame());
    ++i;
  }

  // Awake: with credit the newest comes, and it is the newest.
  observe->acknowledge(frames.back().sequence());
  const v1::StateFrame fresh = observe->frame();
  CHECK(fresh.tick() == 5000);
  CHECK(fresh.sequence() == kWindow + 1);
  frames.push_back(fresh);
  for (const v1::StateFrame& frame : frames)
    CHECK(frame.sequence() + frame.frames_missed() == static_cast<std::uint64_t>(frame.tick()) + 1);
  CHECK(fresh.frames_missed() == 5001 - (kWindow + 1));
  CHECK((fresh.flags() & v1::FRAME_FLAG_FRAMES_MISSED) != 0);
}

TEST_CASE("a reader that acknowledges each frame misses nothing of a session that waits for it", "[server][service]") {
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);
  auto observe = harness.observe(observePuck("rig", 2));
  CHECK(observe->frame().tick() == 0);
  observe->acknowledge(1);
  std::uint64_t received = 1;
  for (std::int64_t tick = 1; tick <= 100; ++tick) {
    harness.step("rig", 1);
    auto response = observe->read();
    while (response && !response->has_frame()) response = observe->read();
    REQUIRE(response);
    REQUIRE(response->frame().tick() == tick);
    REQUIRE(response->frame().frames_missed() == 0);
    observe->acknowledge(++received);
  }
}

TEST_CASE("streams that open on a session that has finished get its state and its end", "[server][service]") {
  Harness harness;
  v1::CreateSessionRequest request;
  request.set_name("rig");
  request.set_model_name("puck");
  request.set_clock(v1::CLOCK_MODE_FREE_RUN);
  request.set_stop_tick(20);
  REQUIRE(harness.call(&Stub::CreateSession, request).status.ok());
  harness.start("rig");
  harness.awaitTick("rig", 20);
  while (harness.get("rig").state() != v1::SESSION_STATE_FINISHED) std::this_thread::yield();

  auto observe = harness.observe(observePuck("rig"));
  CHECK(observe->frame().tick() == 20);
  const v1::TickNotice end = observe->notice();
  CHECK(end.reason() == "SESSION_FINISHED");
  CHECK(end.tick() == 20);
  CHECK(harness.tick(openPuck("rig"))->notice().reason() == "SESSION_FINISHED");
}

TEST_CASE("the readers of a session get its events", "[server][service]") {
  Harness harness;
  v1::CreateSessionRequest create;
  create.set_name("rig");
  create.set_model_name("puck");
  create.set_clock(v1::CLOCK_MODE_FREE_RUN);
  create.set_stop_tick(50);
  REQUIRE(harness.call(&Stub::CreateSession, create).status.ok());
  auto observe = harness.observe(observePuck("rig"));

  harness.start("rig");
  std::vector<std::string> notices;
  std::int64_t last_tick = -1;
  while (notices.empty() || notices.back() != "SESSION_FINISHED") {
    const auto response = observe->read();
    REQUIRE(response);
    if (response->has_notice()) notices.push_back(response->notice().reason());
    if (response->has_frame()) last_tick = response->frame().tick();
  }
  CHECK(notices == std::vector<std::string>{"SESSION_STARTED", "SESSION_FINISHED"});
  CHECK(last_tick == 50);

  // A reset is told before the state that it leads to.
  v1::ResetSessionRequest reset;
  reset.set_session("rig");
  REQUIRE(harness.call(&Stub::ResetSession, reset).status.ok());
  CHECK(observe->notice().reason() == "SESSION_RESET");
  CHECK(observe->frame().tick() == 0);
}

TEST_CASE("the streams of a deleted session end with the reason", "[server][service]") {
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_REAL_TIME);
  harness.create("other", v1::CLOCK_MODE_LOCKSTEP);
  auto observe = harness.observe(observePuck("rig"));
  auto tick = harness.tick(openPuck("rig"));
  auto bystander = harness.tick(openPuck("other"));
  observe->frame();

  v1::DeleteSessionRequest remove;
  remove.set_session("rig");
  REQUIRE(harness.call(&Stub::DeleteSession, remove).status.ok());
  CHECK(observe->notice().reason() == "SESSION_DELETED");
  const auto observed = observe->finish();
  CHECK(observed.status.error_code() == grpc::StatusCode::ABORTED);
  CHECK(observed.detail.reason() == "SESSION_DELETED");

  CHECK(tick->notice().reason() == "SESSION_DELETED");
  tick->closeInputs();
  const auto ticked = tick->finish();
  CHECK(ticked.status.error_code() == grpc::StatusCode::ABORTED);
  CHECK(ticked.detail.reason() == "SESSION_DELETED");

  bystander->send(1, {0, 0});
  CHECK(bystander->frame().tick() == 1);
}

TEST_CASE("a listening driver gets notice and status when its session is deleted", "[server][service]") {
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_REAL_TIME);
  auto tick = harness.tick(openPuck("rig"));
  v1::DeleteSessionRequest remove;
  remove.set_session("rig");
  REQUIRE(harness.call(&Stub::DeleteSession, remove).status.ok());
  CHECK(tick->notice().reason() == "SESSION_DELETED");
  const auto answer = tick->finish();
  // ABORTED where the server had not begun to wait for its client.
  const bool waited = answer.status.error_code() == grpc::StatusCode::UNAVAILABLE;
  CHECK((waited || answer.status.error_code() == grpc::StatusCode::ABORTED));
  CHECK(answer.status.error_message() == "session \"rig\" was deleted");
}

TEST_CASE("a vanished reader is noticed, with and without ticks", "[server][service]") {
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_REAL_TIME);
  const bool running = GENERATE(false, true);
  if (running) harness.start("rig");
  const std::uint32_t window = GENERATE(0u, 1u);
  auto observe = harness.observe(observePuck("rig", window));
  observe->frame();
  observe->vanish();
  harness.awaitNoStreams("rig");
  CHECK(harness.get("rig").observers() == 0);
}

TEST_CASE("queues beyond the limits are refused", "[server][service]") {
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);
  v1::ObserveRequest request = observePuck("rig");
  request.set_delivery(v1::DELIVERY_QUEUE);
  request.set_queue_depth(5000);
  CHECK(harness.observe(request)->finish().detail.field() == "queue_depth");
  v1::ObserveRequest window = observePuck("rig", 100'000);
  CHECK(harness.observe(window)->finish().detail.field() == "credit_window");
}

TEST_CASE("an acknowledgement for a closed stream has no effect", "[server][service]") {
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);
  auto gone = harness.observe(observePuck("rig", 4));
  auto here = harness.observe(observePuck("rig", 1));
  here->frame();
  gone->vanish();
  gone->finish();
  gone->acknowledge(1'000'000);
  harness.step("rig", 1);
  here->acknowledge(1);
  auto response = here->read();
  while (response && !response->has_frame()) response = here->read();
  REQUIRE(response);
  CHECK(response->frame().tick() == 1);
}

TEST_CASE("the answer to a stream of acknowledgements begins before the stream ends, so that its client forgets them",
          "[server][service]") {
  Harness harness;
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::minutes(1));  // else the test could hang
  v1::AcknowledgeFramesResponse response;
  const auto stream = harness.stub()->AcknowledgeFrames(&context, &response);
  stream->WaitForInitialMetadata();
  v1::FrameAcknowledgement acknowledgement;
  CHECK(stream->Write(acknowledgement));
  stream->WritesDone();
  CHECK(stream->Finish().ok());
}
