#include "server/session/lifecycle.h"
#include "rt/model/model.h"

#include "server/models/built_in_models.h"
#include "tests/server/session/puck_session.h"

#include <catch2/catch.hpp>

#include <memory>
#include <string>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::server::tests;
using Mode = ClockChoice::Mode;

TEST_CASE("a step that is not finite faults the session and keeps the last good state", "[server][session]") {
  Session session(specOf(Mode::kLockstep));
  auto lease = session.inputs().lease();
  rt::Snapshot snapshot;
  session.rendezvous().tick(*lease, snapshot);
  const auto good = *session.status().state_hash;
  lease->input().values = {0, 1e308};
  REQUIRE(session.rendezvous().tick(*lease, snapshot) != 0);
  CHECK(snapshot.header.faulted);

  const SessionStatus status = session.status();
  CHECK(status.state == SessionState::kFaulted);
  CHECK_THAT(status.fault, Catch::Contains("tick 2") && Catch::Contains("non-finite"));
  CHECK(*status.state_hash == good);
  CHECK(session.rendezvous().tick(*lease, snapshot) == 0);
  CHECK(reasonOf([&] { session.start(); }) == Reason::kSessionState);
  CHECK(reasonOf([&] { session.step(1, kNever); }) == Reason::kSessionState);
  session.reset();
  CHECK(session.status().fault.empty());
  CHECK(session.rendezvous().tick(*lease, snapshot) != 0);
}

TEST_CASE("a session whose tick thread faults or finishes changes its state", "[server][session]") {
  SessionSpec spec = specOf(Mode::kFreeRun);
  SECTION("stop tick") {
    spec.stop_tick = 25;
    Session session(spec);
    session.start();
    awaitState(session, SessionState::kFinished);
    CHECK(session.status().tick == 25);
    session.pause();  // no effect
    CHECK(session.state() == SessionState::kFinished);
    session.reset();
    session.start();
    awaitState(session, SessionState::kFinished);
  }
  SECTION("fault") {
    spec.script = {{10, {0, 1e308}}};
    Session session(spec);
    session.start();
    awaitState(session, SessionState::kFaulted);
    CHECK(session.status().tick == 9);
    session.pause();  // no effect
    CHECK(session.state() == SessionState::kFaulted);
  }
}

TEST_CASE("an overrun that the rule does not tolerate stops the session, which can be started again",
          "[server][session]") {
  // A model of 512 bodies takes longer than 10 us on any machine.
  SessionSpec spec =
      specOf(Mode::kRealTime, std::make_shared<const rt::Model>(rt::buildModel(openBuiltInModel("chain:n=512").spec)));
  spec.period_ns = 10'000;
  spec.overrun.policy = rt::OverrunPolicy::kStop;
  Session session(spec);
  session.start();
  awaitState(session, SessionState::kStopped);
  const SessionStatus first = session.status();
  CHECK_THAT(first.fault, Catch::Contains("(stop)") && Catch::Contains("tick " + std::to_string(first.tick)));
  REQUIRE(first.state_hash);
  CHECK(session.timing().missed_deadlines > 0);
  session.pause();  // no effect
  CHECK(session.state() == SessionState::kStopped);

  session.start();
  awaitState(session, SessionState::kStopped);
  CHECK(session.status().tick >= first.tick);  // a wake-up that is late enough ends it before its first tick
  session.step(2, kNever);
  CHECK(session.state() == SessionState::kPaused);
  CHECK(session.status().fault.empty());
  session.reset();
  CHECK(session.state() == SessionState::kReady);
}
