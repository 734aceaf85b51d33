#include "server/session/caller_step.h"

#include "tests/server/session/puck_session.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::server::tests;
using Mode = ClockChoice::Mode;

TEST_CASE("a step runs the requested ticks in the thread of the caller", "[server][session]") {
  Session session(specOf(Mode::kRealTime));
  session.step(7, kNever);
  CHECK(session.status().tick == 7);
  CHECK(session.state() == SessionState::kPaused);
  session.step(1, kNever);
  CHECK(session.status().tick == 8);
}

TEST_CASE("a running session cannot be stepped unless it is in lockstep", "[server][session]") {
  Session paced(specOf(Mode::kRealTime));
  paced.start();
  CHECK(reasonOf([&] { paced.step(1, kNever); }) == Reason::kSessionState);

  Session lockstep(specOf(Mode::kLockstep));
  lockstep.start();
  lockstep.step(3, kNever);
  CHECK(lockstep.state() == SessionState::kRunning);
  CHECK(lockstep.status().tick == 3);
}

TEST_CASE("a cancelled step stops between two batches and reports its progress", "[server][session]") {
  Session session(specOf(Mode::kRealTime));
  int asked = 0;
  try {
    session.step(1'000'000'000, [&] { return ++asked == 2; });
    FAIL("stepped to the end");
  } catch (const RequestError& error) {
    CHECK(error.reason() == Reason::kCancelled);
    CHECK_THAT(error.what(), Catch::Contains(std::to_string(session.status().tick) + " of 1000000000"));
  }
  CHECK(session.state() == SessionState::kPaused);
}

TEST_CASE("a pause ends a step that is under way", "[server][session]") {
  Session session(specOf(Mode::kRealTime));
  Reason reason = Reason::kInternal;
  std::thread stepper([&] { reason = reasonOf([&] { session.step(1'000'000'000, kNever); }); });
  awaitTick(session, 1);
  CHECK(reasonOf([&] { session.start(); }) == Reason::kSessionState);
  CHECK(reasonOf([&] { session.reset(); }) == Reason::kSessionState);
  session.pause();
  stepper.join();
  CHECK(reason == Reason::kSessionState);
  session.start();
}

TEST_CASE("no tick follows a pause or a close that has ended a step", "[server][session]") {
  Session session(specOf(Mode::kRealTime));
  // A step that goes on is found by some of the repetitions only.
  for (int repetition = 0; repetition < 30; ++repetition) {
    const bool closes = repetition == 29;
    std::atomic<int> batches{0};
    std::thread stepper([&] {
      reasonOf([&] {
        session.step(1'000'000'000, [&batches] {
          ++batches;
          return false;
        });
      });
    });
    while (batches <= repetition % 3) std::this_thread::yield();
    closes ? session.close() : session.pause();
    const std::uint64_t newest = session.feed().ring().newestIndex();
    if (!closes) CHECK_NOTHROW(session.reset());
    stepper.join();
    CHECK(session.feed().ring().newestIndex() == newest + (closes ? 0 : 1));  // a reset publishes
  }
}
