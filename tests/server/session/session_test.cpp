// Covers: server/session/session_feed.h, server/session/energy_growth_watch.cpp
#include "server/session/session.h"
#include "rt/model/model.h"

#include "server/model_io/model_file.h"
#include "server/models/built_in_models.h"
#include "tests/server/session/puck_session.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <memory>
#include <string>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::server::tests;
using Mode = ClockChoice::Mode;

TEST_CASE("a session begins ready at tick 0 and publishes its initial state", "[server][session]") {
  Session session(specOf(Mode::kRealTime));
  const SessionStatus status = session.status();
  CHECK(status.state == SessionState::kReady);
  CHECK(status.tick == 0);
  REQUIRE(status.state_hash);
  CHECK(*status.state_hash == rt::hashState(session.assembly().state));
  CHECK(session.feed().newest().state == session.assembly().state.values());
}

TEST_CASE("a requested pause ends the ticks before the session is paused", "[server][session]") {
  Session session(specOf(Mode::kFreeRun));
  session.start();
  awaitTick(session, 5);
  session.requestPause();
  // A free run makes some 1e5 ticks a second: one tick in 0.2 s is a run that goes on.
  const auto ticks_in_a_while = [&] {
    const std::uint64_t before = session.feed().ring().newestIndex();
    session.feed().ring().waitNewer(before, std::chrono::milliseconds(200));
    return session.feed().ring().newestIndex() - before;
  };
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (ticks_in_a_while() > 0) REQUIRE(std::chrono::steady_clock::now() < end);
  CHECK(session.state() == SessionState::kRunning);
  session.pause();
  CHECK(session.state() == SessionState::kPaused);
}

TEST_CASE("a running session ticks until it is paused and continues where it was", "[server][session]") {
  const Mode mode = GENERATE(Mode::kRealTime, Mode::kScaled, Mode::kFreeRun);
  SessionSpec spec = specOf(mode);
  spec.clock.scale = mode == Mode::kScaled ? 4 : 1;
  Session session(spec);
  session.start();
  CHECK(session.state() == SessionState::kRunning);
  CHECK_FALSE(session.status().state_hash);
  session.start();  // no effect
  awaitTick(session, 5);
  session.pause();
  session.pause();  // no effect

  const SessionStatus paused = session.status();
  CHECK(paused.state == SessionState::kPaused);
  CHECK(paused.tick >= 5);
  CHECK(paused.state_hash);
  CHECK(session.status().tick == paused.tick);
  session.start();
  awaitTick(session, paused.tick + 1);
  CHECK(session.state() == SessionState::kRunning);
}

TEST_CASE("a reset goes back to the initial state and inputs", "[server][session]") {
  Session session(specOf(Mode::kFreeRun));
  const auto initial = *session.status().state_hash;
  auto lease = session.inputs().lease();
  lease->input().values = {1, 2};
  lease->offer();
  session.start();
  awaitTick(session, 3);
  session.reset();
  CHECK(session.state() == SessionState::kReady);
  CHECK(*session.status().state_hash == initial);
  CHECK(session.feed().newest().header.tick == 0);
  CHECK(session.feed().newest().inputs == std::vector<double>{0, 0});

  // Actuators that the holder of the inputs does not drive are reset, too.
  CHECK(lease->input().values == std::vector<double>{0, 0});
}

TEST_CASE("a session repeats its state hash after a reset", "[server][session]") {
  Session session(
      specOf(Mode::kRealTime, std::make_shared<const rt::Model>(rt::buildModel(openBuiltInModel("four_bar").spec))));
  session.step(200, kNever);
  const auto first = *session.status().state_hash;
  session.reset();
  session.step(50, kNever);
  session.step(150, kNever);
  CHECK(*session.status().state_hash == first);
}

TEST_CASE("a closed session refuses calls and ends the waits of its readers", "[server][session]") {
  Session session(specOf(Mode::kFreeRun));
  session.start();
  awaitTick(session, 1);
  session.close();
  REQUIRE(session.feed().events().ending());
  CHECK(session.feed().events().ending()->kind == SessionEvent::Kind::kDeleted);
  CHECK(session.feed().waker().waitNewer(session.feed().ring().newestIndex(), std::chrono::hours(1)) ==
        rt::WaitResult::kClosed);
  CHECK(reasonOf([&] { session.start(); }) == Reason::kSessionUnknown);
}

TEST_CASE("a session whose energy grows without an input says so in its status and to its streams",
          "[server][session]") {
  // A pendulum that turns by 1.4 rad of its swing in a step: a step of third order adds energy to it.
  const auto pendulum = std::make_shared<const rt::Model>(rt::buildModel(readModelText(R"({
    "name": "pendulum", "gravity": [0, 0, -9.81],
    "bodies": [{"name": "bob", "mass": 1, "inertia": {"xx": 1e-3, "yy": 1e-3, "zz": 1e-3}, "position": [0, 0, -0.1],
                "velocity": [-0.1, 0, 0], "angular_velocity": [0, 1, 0]}],
    "joints": [{"name": "hinge", "body_1": "ground", "body_2": "bob", "revolute":
      {"point_1": [0, 0, 0], "point_2": [0, 0, 0.1], "axis_1": [0, 1, 0], "axis_2": [0, 1, 0]}}]
  })",
                                                                                       ModelSyntax::kJson)
                                                                             .spec));
  SessionSpec spec = specOf(Mode::kRealTime, pendulum);
  spec.period_ns = 150'000'000;
  Session stable(spec);
  stable.step(200, kNever);
  CHECK(stable.status().energy_growth.empty());
  CHECK(stable.energy().grows_since == -1);

  spec.solver = {{"third_order", 1}};
  Session session(spec);
  session.step(200, kNever);
  const std::int64_t since = session.energy().grows_since;
  REQUIRE(since > 0);
  CHECK_THAT(session.status().energy_growth, Catch::StartsWith("energy grows since tick " + std::to_string(since)));
  std::uint64_t seen = 0;
  int told = 0;
  for (const SessionEvent& event : session.feed().events().after(seen))
    if (event.kind == SessionEvent::Kind::kEnergyGrows) {
      ++told;
      CHECK(event.tick == since);
    }
  CHECK(told == 1);
  session.reset();
  CHECK(session.status().energy_growth.empty());
}

TEST_CASE("the counts of a session that stands, or that ticks in the threads of callers, begin anew at once",
          "[server][session]") {
  Session session(specOf(GENERATE(Mode::kFreeRun, Mode::kRealTime, Mode::kLockstep)));
  session.step(10, kNever);
  REQUIRE(session.timing().ticks == 10);
  session.resetTiming();
  CHECK(session.timing().ticks == 0);
  session.step(3, kNever);
  CHECK(session.timing().ticks == 3);

  // A thread that ticks has taken the reset when the second tick after it is published.
  if (session.spec().clock.lockstep()) return;
  session.start();
  awaitTick(session, 50);
  session.resetTiming();
  awaitTick(session, session.feed().newest().header.tick + 2);
  session.pause();
  CHECK(session.timing().ticks < session.status().tick - 40);
}
