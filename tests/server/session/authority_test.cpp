// Who drives what: leases by groups of actuators, takeover, and lockstep with several participants.
// Covers: server/session/input_lease.cpp
#include "server/model_io/model_file.h"
#include "server/session/session.h"
#include "server/wire/request_error.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <memory>
#include <thread>

using namespace tactus;
using namespace tactus::server;
using Mode = ClockChoice::Mode;

namespace {

// Two pushes by a driver, one by a test bench; the bench's returns to zero when its controller is lost.
constexpr const char* kRig = R"({
  "name": "rig", "gravity": [0, 0, 0],
  "bodies": [{"name": "body", "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1}}],
  "actuators": [
    {"name": "push_x", "group": "driver", "body_force": {"body": "body", "direction": [1, 0, 0]}},
    {"name": "load", "group": "bench", "on_loss": {"action": "LOSS_ACTION_ZERO"},
     "body_force": {"body": "body", "direction": [0, 0, 1]}},
    {"name": "push_y", "group": "driver", "body_force": {"body": "body", "direction": [0, 1, 0]}}
  ]
})";
constexpr rt::GroupMask kDriver = 1, kBench = 2;

SessionSpec specOf(Mode clock, std::int64_t miss_limit = 0) {
  SessionSpec spec;
  spec.name = "test";
  spec.model = std::make_shared<const rt::Model>(rt::buildModel(readModelText(kRig, ModelSyntax::kJson).spec));
  spec.clock.mode = clock;
  spec.miss_limit = miss_limit;
  return spec;
}

LeaseRequest ask(rt::GroupMask groups, const std::string& controller) {
  LeaseRequest request;
  request.groups = groups;
  request.controller = controller;
  return request;
}

std::vector<double> inputsOf(const Session& session) {
  return session.feed().newest().inputs;
}

}  // namespace

TEST_CASE("two controllers drive one session, each its own group", "[server][session]") {
  Session session(specOf(Mode::kFreeRun));
  CHECK(session.model().groups == std::vector<std::string>{"driver", "bench"});
  auto driver = session.inputs().lease(ask(kDriver, "wheel")), bench = session.inputs().lease(ask(kBench, "rig pc"));
  CHECK(session.inputs().controllers() == std::vector<std::string>{"wheel", "rig pc"});

  // What a holder says of the other's actuators does not count.
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

  // Who comes later begins with what the others left.
  bench.reset();
  CHECK(session.inputs().controllers() == std::vector<std::string>{"wheel", ""});
  auto next = session.inputs().lease(ask(kBench, "next"));
  CHECK(next->input().values[1] == 4);
}

TEST_CASE("a group that is held is refused, and the others are not", "[server][session]") {
  Session session(specOf(Mode::kFreeRun));
  auto driver = session.inputs().lease(ask(kDriver, "wheel"));
  try {
    session.inputs().lease(ask(kDriver | kBench, "other"));
    FAIL("was not refused");
  } catch (const RequestError& error) {
    CHECK(error.reason() == Reason::kLeaseHeld);
    CHECK_THAT(error.what(), Catch::Contains("wheel") && Catch::Contains("driver"));
  }
  CHECK(session.inputs().controllers() == std::vector<std::string>{"wheel", ""});
  CHECK_NOTHROW(session.inputs().lease(ask(kBench, "other")));
}

TEST_CASE("the silence of one controller is the loss of its group alone", "[server][session]") {
  Session session(specOf(Mode::kFreeRun, 3));
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

  // Its inputs are left aside until the safe state is cleared; those of the other are not.
  bench->offer();
  session.step(1, {});
  CHECK(inputsOf(session)[1] == 0);
  session.clearSafeState();
  bench->input().values[1] = 3;
  bench->offer();
  session.step(1, {});
  CHECK(inputsOf(session)[1] == 3);
}

TEST_CASE("a takeover discards pending inputs of the former controller at once and notifies every stream",
          "[server][session]") {
  Session session(specOf(Mode::kFreeRun));
  auto former = session.inputs().lease(ask(kDriver | kBench, "wheel"));
  former->input().values = {1, 2, 3};
  former->offer();
  session.step(1, {});
  former->input().values = {7, 7, 7};
  former->offer();  // not yet used: comes to nothing

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

  // That the former one leaves changes nothing.
  former.reset();
  CHECK(session.inputs().controllers() == std::vector<std::string>{"rescue", ""});
}

TEST_CASE("many takeovers in a row need no further slots", "[server][session]") {
  Session session(specOf(Mode::kFreeRun));
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

TEST_CASE("in lockstep a tick waits for an input of each controller", "[server][session]") {
  Session session(specOf(Mode::kLockstep));
  constexpr int kTicks = 200;
  const auto drive = [&](rt::GroupMask group, std::size_t actuator) {
    auto lease = session.inputs().lease(ask(group, "c"));
    return [&session, actuator, lease = std::shared_ptr<InputLease>(std::move(lease))] {
      rt::Snapshot result(session.model());
      bool good = true;
      for (int tick = 1; tick <= kTicks; ++tick) {
        lease->input().values[actuator] = tick;
        good = session.rendezvous().tick(*lease, result) != 0 && result.header.tick >= tick && good;
      }
      return good;
    };
  };
  auto driver = drive(kDriver, 0), bench = drive(kBench, 1);
  bool driver_good = false, bench_good = false;
  std::thread one([&] { driver_good = driver(); }), two([&] { bench_good = bench(); });
  one.join();
  two.join();
  CHECK(driver_good);
  CHECK(bench_good);
  CHECK(session.status().tick == kTicks);  // one tick for two inputs
  CHECK(inputsOf(session) == std::vector<double>{kTicks, kTicks, 0});
  CHECK(session.rendezvous().late() == 0);
}

TEST_CASE("in lockstep a tick continues without a late participant", "[server][session]") {
  SessionSpec spec = specOf(Mode::kLockstep, 2);
  spec.participants = kDriver | kBench;
  spec.participant_timeout_ns = 2'000'000;
  Session session(spec);
  auto driver = session.inputs().lease(ask(kDriver, "wheel"));  // the bench never comes
  rt::Snapshot result(session.model());
  for (int tick = 1; tick <= 3; ++tick) {
    driver->input().values[0] = tick;
    REQUIRE(driver->tick(result) != 0);
    CHECK(result.header.tick == tick);
    CHECK(result.inputs[0] == tick);
  }
  CHECK(session.rendezvous().late() == 3);
}

TEST_CASE("in lockstep a late participant can pause the session or put it into the safe state", "[server][session]") {
  SessionSpec spec = specOf(Mode::kLockstep);
  spec.participants = kDriver | kBench;
  spec.participant_timeout_ns = 2'000'000;
  spec.participant_rule = GENERATE(ParticipantRule::kPause, ParticipantRule::kSafe);
  Session session(spec);
  auto driver = session.inputs().lease(ask(kDriver, "wheel"));  // the bench never comes
  driver->input().values[0] = 1;
  rt::Snapshot result(session.model());
  if (spec.participant_rule == ParticipantRule::kSafe) {
    REQUIRE(driver->tick(result) != 0);
    CHECK(result.header.input_mode == rt::InputMode::kSafe);
    CHECK(result.inputs[0] == 0);
  } else {
    CHECK(driver->tick(result) == 0);
    CHECK(session.state() == SessionState::kPaused);
    CHECK(session.status().tick == 0);
    std::uint64_t seen = 0;
    const auto events = session.feed().events().after(seen);
    REQUIRE(events.size() == 1);
    CHECK_THAT(events[0].message, Catch::Contains("bench"));
    session.start();
    CHECK(session.state() == SessionState::kRunning);
  }
  CHECK(session.rendezvous().late() == 1);
}

TEST_CASE("in lockstep an input that names its tick makes that tick or none", "[server][session]") {
  Session session(specOf(Mode::kLockstep));
  auto driver = session.inputs().lease(ask(kDriver, "wheel"));
  rt::Snapshot result(session.model());
  CHECK(driver->tick(result, 2) == 0);
  CHECK(session.status().tick == 0);
  CHECK(driver->tick(result, 1) != 0);
  CHECK(driver->tick(result, 1) == 0);
  CHECK(session.status().tick == 1);
}

TEST_CASE("a waiting participant is released when it leaves, when the session pauses, and when others leave",
          "[server][session]") {
  SessionSpec spec = specOf(Mode::kLockstep);
  Session session(spec);
  rt::Snapshot result(session.model());
  std::atomic<bool> gone{false};
  LeaseRequest request = ask(kDriver, "wheel");
  request.gone = [&] { return gone.load(); };
  auto driver = session.inputs().lease(request);
  auto bench = session.inputs().lease(ask(kBench, "bench"));

  std::uint64_t publication = 1;
  const auto waitWith = [&](const std::function<void()>& act) {
    std::thread waiting([&] { publication = driver->tick(result); });
    act();
    waiting.join();
  };
  waitWith([&] { gone = true; });
  CHECK(publication == 0);
  CHECK(session.status().tick == 0);
  gone = false;
  waitWith([&] {
    while (session.state() != SessionState::kRunning) std::this_thread::yield();
    session.pause();
  });
  CHECK(publication == 0);
  session.start();
  waitWith([&] { bench.reset(); });  // nobody is left to wait for
  CHECK(publication != 0);
  CHECK(session.status().tick == 1);
}
