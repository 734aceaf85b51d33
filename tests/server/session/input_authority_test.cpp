#include "server/session/input_authority.h"

#include "server/wire/request_error.h"
#include "tests/server/session/puck_session.h"
#include "tests/server/session/rig.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::server::tests;
using Mode = ClockChoice::Mode;

TEST_CASE("two controllers drive one session, each its own group", "[server][session]") {
  Session session(rigSpec(Mode::kFreeRun));
  CHECK(session.model().groups == std::vector<std::string>{"driver", "bench"});
  auto driver = session.inputs().lease(ask(kDriver, "wheel")), bench = session.inputs().lease(ask(kBench, "rig pc"));
  CHECK(session.inputs().controllers() == std::vector<std::string>{"wheel", "rig pc"});

  // Values that a holder sends for the actuators of the other one do not count.
  driver->input().values = {1, 99, 2};
  bench->input().values = {98, 3, 97};
  driver->offer();
  bench->offer();
  session.step(1, {});
  CHECK(inputsOf(session) == std::vector<double>{1, 3, 2});
  bench->input().values[1] = 4;
  bench->offer();
  session.step(1, {});
  CHECK(inputsOf(session) == std::vector<double>{1, 4, 2});

  // The next holder begins with the values that the former one left.
  bench.reset();
  CHECK(session.inputs().controllers() == std::vector<std::string>{"wheel", ""});
  auto next = session.inputs().lease(ask(kBench, "next"));
  CHECK(next->input().values[1] == 4);
}

TEST_CASE("a lease is refused for a group that is held, and granted for a free one", "[server][session]") {
  Session session(rigSpec(Mode::kFreeRun));
  auto driver = session.inputs().lease(ask(kDriver, "wheel"));
  try {
    session.inputs().lease(ask(kDriver | kBench, "other"));
    FAIL("was not refused");
  } catch (const RequestError& error) {
    CHECK(error.reason() == Reason::kLeaseHeld);
    CHECK_THAT(error.what(), Catch::Contains("wheel") && Catch::Contains("driver"));
    CHECK_THAT(error.hint(), Catch::Contains("without these inputs"));
  }
  CHECK(session.inputs().controllers() == std::vector<std::string>{"wheel", ""});
  CHECK_NOTHROW(session.inputs().lease(ask(kBench, "other")));
}

TEST_CASE("who is refused a group of a session in lockstep is not told to open a stream without inputs",
          "[server][session]") {
  // Such a stream would be one more that each tick waits for.
  Session session(rigSpec(Mode::kLockstep));
  auto driver = session.inputs().lease(ask(kDriver, "wheel"));
  try {
    session.inputs().lease(ask(kDriver, "other"));
    FAIL("was not refused");
  } catch (const RequestError& error) {
    CHECK_THAT(error.hint(), Catch::Contains("Observe") && !Catch::Contains("without these inputs"));
  }
}

TEST_CASE("a patient request waits for a holder whose client has left, and for no other one", "[server][session]") {
  Session session(rigSpec(Mode::kLockstep));
  std::atomic<bool> has_left = false, has_looked = false;
  LeaseRequest request = ask(kDriver, "block");
  request.gone = [&] {
    has_looked = true;
    return has_left.load();
  };
  auto former = session.inputs().lease(request);
  LeaseRequest next = ask(kDriver, "next block");
  next.patience = std::chrono::minutes(1);
  CHECK_THROWS_WITH(session.inputs().lease(next), Catch::Contains("\"block\" already drives"));

  has_left = true;
  CHECK_THROWS_WITH(session.inputs().lease(ask(kDriver, "stream")), Catch::Contains("already drives"));
  {
    has_looked = false;
    const std::jthread end([&] {
      while (!has_looked) std::this_thread::yield();
      former.reset();
    });
    CHECK_NOTHROW(session.inputs().lease(next));
  }

  // Whoever waits may leave, too.
  former = session.inputs().lease(request);
  next.gone = [] { return true; };
  CHECK_THROWS_WITH(session.inputs().lease(next), Catch::Contains("already drives"));
}

TEST_CASE("the loss of one controller affects its group alone", "[server][session]") {
  Session session(rigSpec(Mode::kFreeRun, 3));
  auto driver = session.inputs().lease(ask(kDriver, "wheel")), bench = session.inputs().lease(ask(kBench, "rig pc"));
  driver->input().values = {1, 0, 2};
  bench->input().values = {0, 3, 0};
  bench->offer();
  for (int tick = 1; tick <= 6; ++tick) {
    driver->input().values[0] = tick;
    driver->offer();
    session.step(1, {});
    CHECK(inputsOf(session) == std::vector<double>{1.0 * tick, tick < 4 ? 3.0 : 0.0, 2});
  }
  CHECK(session.feed().newest().header.input_mode == rt::InputMode::kSafe);
  CHECK(session.feed().newest().header.input_loss[1].latched);
  CHECK_FALSE(session.feed().newest().header.input_loss[0].latched);

  // Its inputs are left aside until the safe state is cleared; the inputs of the other controller are used.
  bench->offer();
  session.step(1, {});
  CHECK(inputsOf(session)[1] == 0);
  session.clearSafeState();
  bench->input().values[1] = 3;
  bench->offer();
  session.step(1, {});
  CHECK(inputsOf(session)[1] == 3);
}

TEST_CASE("a takeover voids the inputs of the former holder at once, and the streams are told", "[server][session]") {
  Session session(rigSpec(Mode::kFreeRun));
  auto former = session.inputs().lease(ask(kDriver | kBench, "wheel"));
  former->input().values = {1, 2, 3};
  former->offer();
  session.step(1, {});
  former->input().values = {7, 7, 7};
  former->offer();  // not yet used: void

  LeaseRequest request = ask(kDriver, "rescue");
  request.takeover_reason = "the wheel hangs";
  auto next = session.inputs().lease(request);
  CHECK(former->lost());
  CHECK_FALSE(next->lost());
  CHECK_THAT(former->takenBy(), Catch::Contains("rescue") && Catch::Contains("the wheel hangs"));
  CHECK(next->input().values == std::vector<double>{1, 2, 3});
  session.step(1, {});
  CHECK(inputsOf(session) == std::vector<double>{1, 2, 3});
  former->offer();
  next->input().values = {5, 5, 5};
  next->offer();
  session.step(1, {});
  CHECK(inputsOf(session) == std::vector<double>{5, 2, 5});
  CHECK(session.inputs().controllers() == std::vector<std::string>{"rescue", ""});

  std::uint64_t seen = 0;
  const auto events = session.feed().events().after(seen);
  REQUIRE(events.size() == 1);
  CHECK(events[0].kind == SessionEvent::Kind::kTakeover);
  CHECK_THAT(events[0].message, Catch::Contains("rescue") && Catch::Contains("wheel hangs"));

  // The former holder may leave without effect.
  former.reset();
  CHECK(session.inputs().controllers() == std::vector<std::string>{"rescue", ""});
}

TEST_CASE("who may not take from anybody takes from its own identity alone", "[server][session]") {
  Session session(rigSpec(Mode::kFreeRun));
  LeaseRequest first = ask(kDriver, "wheel");
  first.claimant = {"lab", false};
  auto holder = session.inputs().lease(std::move(first));

  LeaseRequest request = ask(kDriver, "other");
  request.takeover_reason = "mine";
  request.claimant = {"stranger", false};
  try {
    session.inputs().lease(request);
    FAIL("was not refused");
  } catch (const RequestError& error) { CHECK(error.reason() == Reason::kNotOwner); }
  CHECK_FALSE(holder->lost());

  request.claimant = {"lab", false};
  auto again = session.inputs().lease(request);
  CHECK(holder->lost());
  holder.reset();
  request.claimant = {"boss", true};
  auto third = session.inputs().lease(request);
  CHECK(again->lost());
}

TEST_CASE("consecutive takeovers do not run out of writers", "[server][session]") {
  Session session(rigSpec(Mode::kFreeRun));
  auto holder = session.inputs().lease(ask(kDriver, "0"));
  for (int k = 1; k < 50; ++k) {
    LeaseRequest request = ask(kDriver, std::to_string(k));
    request.takeover_reason = "next";
    auto next = session.inputs().lease(request);
    holder = std::move(next);
    holder->input().values[0] = k;
    holder->offer();
    session.step(1, {});
    CHECK(inputsOf(session)[0] == k);
  }
}

TEST_CASE("the inputs have one holder at a time, and the next one continues with the held values",
          "[server][session]") {
  Session session(specOf(Mode::kLockstep));
  auto first = session.inputs().lease();
  CHECK(reasonOf([&] { session.inputs().lease(); }) == Reason::kLeaseHeld);
  first->input().values = {3, 4};
  rt::Snapshot snapshot;
  session.rendezvous().tick(*first, snapshot);
  first.reset();
  CHECK(session.inputs().lease()->input().values == std::vector<double>{3, 4});
}

TEST_CASE("each lost controller is counted, also while another one is lost", "[server][session]") {
  Session session(rigSpec(Mode::kFreeRun, 3));
  auto driver = session.inputs().lease(ask(kDriver, "wheel")), bench = session.inputs().lease(ask(kBench, "rig pc"));
  driver->offer();
  bench->offer();
  session.step(1, {});
  for (int tick = 0; tick < 5; ++tick) {
    driver->offer();
    session.step(1, {});
  }
  CHECK(session.timing().input_losses == 1);
  session.step(5, {});
  CHECK(session.timing().input_losses == 2);
  CHECK(session.timing().safe_entries == 1);  // the driver's actuators hold

  // Both groups at once are two losses; the safe state on request adds the group that holds.
  session.enterSafeState();
  session.step(1, {});
  CHECK(session.timing().safe_entries == 2);
  session.reset();
  driver->offer();
  bench->offer();
  session.step(10, {});
  CHECK(session.timing().input_losses == 4);
}

TEST_CASE("what a controller has left and no tick has used comes with the first input of the next one, and once",
          "[server][session]") {
  const bool is_used = GENERATE(false, true);
  Session session(rigSpec(ClockChoice::Mode::kFreeRun));
  const auto drive = [&](int actuator, double value) {
    LeaseRequest request = ask(kDriver, "c");
    request.actuators = {actuator};
    auto lease = session.inputs().lease(std::move(request));
    lease->input().values[static_cast<std::size_t>(actuator)] = value;
    ++lease->input().sequence;
    lease->offer();
    return lease;
  };
  drive(0, 3).reset();
  if (is_used) session.step(1, kNever);
  const auto other = drive(2, 5);
  session.step(1, kNever);
  CHECK(inputsOf(session) == std::vector<double>{3, 0, 5});
  CHECK(other->input().driven == std::vector<std::uint8_t>{0, 0, 1});
}
