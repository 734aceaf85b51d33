// Covers: server/session/session_setup.cpp
#include "server/session/session.h"
#include "rt/ali3p/compile_plan.h"
#include "server/models/built_in_models.h"
#include "server/wire/request_error.h"
#include "tests/server/puck.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <filesystem>
#include <iterator>
#include <memory>
#include <thread>

using namespace tactus;
using namespace tactus::server;
using Mode = ClockChoice::Mode;

namespace {

const std::function<bool()> kNever;

SessionSpec specOf(Mode clock, std::shared_ptr<const rt::Model> model = tests::makePuck()) {
  SessionSpec spec;
  spec.name = "test";
  spec.model = std::move(model);
  spec.clock.mode = clock;
  return spec;
}

Reason reasonOf(const std::function<void()>& act) {
  try {
    act();
  } catch (const RequestError& error) { return error.reason(); }
  return Reason::kInternal;
}

void awaitTick(Session& session, std::int64_t tick) {
  while (session.feed().newest().header.tick < tick)
    session.feed().ring().waitNewer(session.feed().ring().newestIndex(), std::chrono::seconds(1));
}

void awaitState(Session& session, SessionState state) {
  while (session.state() != state)
    session.feed().events().wait(session.feed().events().newest(), std::chrono::milliseconds(1));
}

}  // namespace

TEST_CASE("a session begins ready, at tick 0, with its initial state to be seen", "[server][session]") {
  Session session(specOf(Mode::kRealTime));
  const SessionStatus status = session.status();
  CHECK(status.state == SessionState::kReady);
  CHECK(status.tick == 0);
  REQUIRE(status.state_hash);
  CHECK(*status.state_hash == rt::hashState(session.assembly().state));
  CHECK(session.feed().newest().state == session.assembly().state.values());
}

TEST_CASE("the threads that share the steps of a session are there before its first tick", "[server][session]") {
  const auto threads = [] {
    const std::filesystem::directory_iterator tasks("/proc/self/task");
    return std::distance(begin(tasks), end(tasks));
  };
  SessionSpec spec =
      specOf(Mode::kRealTime, std::make_shared<rt::Model>(rt::buildModel(openBuiltInModel("four_bar_up").spec)));
  spec.period_ns = 100'000'000;
  spec.realtime.threads = 2;
  spec.realtime.oversubscribe = true;
  Session session(spec);
  const auto before = threads();
  session.start();
  const auto started = threads();
  CHECK(started >= before + 2);  // that of the ticks, and one beside it
  awaitTick(session, 2);
  CHECK(threads() <= started);
}

TEST_CASE("more threads than cores to which they are bound are refused", "[server][session]") {
  SessionSpec spec =
      specOf(Mode::kRealTime, std::make_shared<rt::Model>(rt::buildModel(openBuiltInModel("four_bar_up").spec)));
  spec.realtime.threads = 2;
  spec.realtime.cpus = {0};
  CHECK(reasonOf([&] { Session session(spec); }) == Reason::kRequestInvalid);
  spec.realtime.oversubscribe = true;
  CHECK_NOTHROW(Session(spec));
}

TEST_CASE("a running session ticks until it is paused, and goes on where it was", "[server][session]") {
  const Mode mode = GENERATE(Mode::kRealTime, Mode::kScaled, Mode::kFreeRun);
  SessionSpec spec = specOf(mode);
  spec.clock.scale = mode == Mode::kScaled ? 4 : 1;
  Session session(spec);
  session.start();
  CHECK(session.state() == SessionState::kRunning);
  CHECK_FALSE(session.status().state_hash);
  session.start();  // harmless
  awaitTick(session, 5);
  session.pause();
  session.pause();  // harmless

  const SessionStatus paused = session.status();
  CHECK(paused.state == SessionState::kPaused);
  CHECK(paused.tick >= 5);
  CHECK(paused.state_hash);
  CHECK(session.status().tick == paused.tick);
  session.start();
  awaitTick(session, paused.tick + 1);
  CHECK(session.state() == SessionState::kRunning);
}

TEST_CASE("stepping runs the asked ticks in the caller's thread", "[server][session]") {
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

TEST_CASE("a cancelled step stops between two batches and says how far it came", "[server][session]") {
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

TEST_CASE("a reset goes back to the initial state, whatever came before", "[server][session]") {
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

  // What the holder of the inputs does not drive is back too.
  CHECK(lease->input().values == std::vector<double>{0, 0});
}

TEST_CASE("the same session gives the same hash again after a reset", "[server][session]") {
  Session session(
      specOf(Mode::kRealTime, std::make_shared<const rt::Model>(rt::buildModel(openBuiltInModel("four_bar").spec))));
  session.step(200, kNever);
  const auto first = *session.status().state_hash;
  session.reset();
  session.step(50, kNever);
  session.step(150, kNever);
  CHECK(*session.status().state_hash == first);
}

TEST_CASE("lockstep ticks once for each input, and as the loop does by itself", "[server][session]") {
  const auto model = std::make_shared<const rt::Model>(rt::buildModel(openBuiltInModel("motor_four_bar").spec));
  Session session(specOf(Mode::kLockstep, model));
  const rt::Plan plan = rt::compilePlan(*model);
  rt::TickLoop loop(*model, plan, rt::chooseSettings(*model), rt::initialState(*model).state);

  auto lease = session.inputs().lease();
  rt::Snapshot snapshot;
  for (std::uint64_t i = 1; i <= 100; ++i) {
    rt::ActuatorInput input(*model);
    input.sequence = i;
    input.values[0] = 0.1 * std::sin(0.05 * static_cast<double>(i));
    lease->input() = input;
    REQUIRE(session.rendezvous().tick(*lease, snapshot) != 0);
    REQUIRE(snapshot.header.tick == static_cast<std::int64_t>(i));
    REQUIRE(snapshot.header.input_sequence == i);
    loop.inputs().offer(input);
    loop.tick();
  }
  CHECK(*session.status().state_hash == rt::hashState(loop.state()));
}

TEST_CASE("a paused lockstep session does not tick", "[server][session]") {
  Session session(specOf(Mode::kLockstep));
  auto lease = session.inputs().lease();
  rt::Snapshot snapshot;
  REQUIRE(session.rendezvous().tick(*lease, snapshot) != 0);
  session.pause();
  CHECK(session.rendezvous().tick(*lease, snapshot) == 0);
  CHECK(session.status().tick == 1);
  session.start();
  CHECK(session.rendezvous().tick(*lease, snapshot) != 0);
}

TEST_CASE("the inputs have one holder at a time, and the next one takes over what is held", "[server][session]") {
  Session session(specOf(Mode::kLockstep));
  auto first = session.inputs().lease();
  CHECK(reasonOf([&] { session.inputs().lease(); }) == Reason::kLeaseHeld);
  first->input().values = {3, 4};
  rt::Snapshot snapshot;
  first->tick(snapshot);
  first.reset();
  CHECK(session.inputs().lease()->input().values == std::vector<double>{3, 4});
}

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

TEST_CASE("a loop thread that faults or finishes says so", "[server][session]") {
  SessionSpec spec = specOf(Mode::kFreeRun);
  SECTION("stop tick") {
    spec.stop_tick = 25;
    Session session(spec);
    session.start();
    awaitState(session, SessionState::kFinished);
    CHECK(session.status().tick == 25);
    session.pause();  // harmless
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
    session.pause();  // harmless
    CHECK(session.state() == SessionState::kFaulted);
  }
}

TEST_CASE("an overrun beyond the rule stops the session, which can be started again", "[server][session]") {
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
  session.pause();  // harmless
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

TEST_CASE("a closed session does nothing more and its readers are told", "[server][session]") {
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

TEST_CASE("an invalid specification of a session is refused with its field", "[server][session]") {
  SessionSpec spec = specOf(Mode::kRealTime);
  std::string field;
  SECTION("period") {
    spec.period_ns = -1, field = "period_ns";
  }
  SECTION("short period") {
    spec.period_ns = 1, field = "period_ns";
  }
  SECTION("iterations") {
    spec.iterations = 999, field = "iterations";
  }
  SECTION("initial condition") {
    spec.initial_condition = "nowhere", field = "initial_condition";
  }
  SECTION("stop tick") {
    spec.stop_tick = -5, field = "stop_tick";
  }
  SECTION("priority") {
    spec.realtime.priority = 100, field = "priority";
  }
  SECTION("a class for a clock that never sleeps") {
    spec.clock.mode = Mode::kFreeRun;
    spec.realtime.priority = 1;
    field = "priority";
  }
  SECTION("an overrun rule for a clock without a grid") {
    spec.clock.mode = GENERATE(Mode::kFreeRun, Mode::kLockstep);
    spec.overrun.policy = rt::OverrunPolicy::kSlip;
    field = "overrun";
  }
  SECTION("an overrun rule that makes no sense") {
    spec.overrun.policy = rt::OverrunPolicy::kStop;
    spec.overrun.most_in_all = 3;
    field = "overrun";
  }
  SECTION("scale") {
    spec.clock = {Mode::kScaled, 1e12};
    field = "scale";
  }
  try {
    Session session(spec);
    FAIL("accepted");
  } catch (const RequestError& error) {
    CHECK(error.field() == field);
    CHECK(error.reason() == Reason::kRequestInvalid);
  }
}
