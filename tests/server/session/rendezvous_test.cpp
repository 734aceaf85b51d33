#include "server/session/rendezvous.h"
#include "rt/model/model.h"

#include "rt/ali3p/compile_plan.h"
#include "server/models/built_in_models.h"
#include "tests/server/session/puck_session.h"
#include "tests/server/session/rig.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <cmath>
#include <memory>
#include <thread>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::server::tests;
using Mode = ClockChoice::Mode;

TEST_CASE("in lockstep a tick waits for the input of each controller", "[server][session]") {
  Session session(rigSpec(Mode::kLockstep));
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

TEST_CASE("in lockstep a tick is made without a late participant after the timeout", "[server][session]") {
  SessionSpec spec = rigSpec(Mode::kLockstep, 2);
  spec.participants = kDriver | kBench;
  spec.participant_timeout_ns = 2'000'000;
  Session session(spec);
  auto driver = session.inputs().lease(ask(kDriver, "wheel"));  // the bench never arrives
  rt::Snapshot result(session.model());
  for (int tick = 1; tick <= 3; ++tick) {
    driver->input().values[0] = tick;
    REQUIRE(session.rendezvous().tick(*driver, result) != 0);
    CHECK(result.header.tick == tick);
    CHECK(result.inputs[0] == tick);
  }
  CHECK(session.rendezvous().late() == 3);
}

TEST_CASE("in lockstep a late participant pauses the session or leads to the safe state, as the rule says",
          "[server][session]") {
  SessionSpec spec = rigSpec(Mode::kLockstep);
  spec.participants = kDriver | kBench;
  spec.participant_timeout_ns = 2'000'000;
  spec.participant_rule = GENERATE(ParticipantRule::kPause, ParticipantRule::kSafe);
  Session session(spec);
  auto driver = session.inputs().lease(ask(kDriver, "wheel"));  // the bench never arrives
  driver->input().values[0] = 1;
  rt::Snapshot result(session.model());
  if (spec.participant_rule == ParticipantRule::kSafe) {
    REQUIRE(session.rendezvous().tick(*driver, result) != 0);
    CHECK(result.header.input_mode == rt::InputMode::kSafe);
    CHECK(result.inputs[0] == 0);
  } else {
    CHECK(session.rendezvous().tick(*driver, result) == 0);
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

TEST_CASE("in lockstep an input for a tick makes that tick or none", "[server][session]") {
  Session session(rigSpec(Mode::kLockstep));
  auto driver = session.inputs().lease(ask(kDriver, "wheel"));
  rt::Snapshot result(session.model());
  CHECK(session.rendezvous().tick(*driver, result, 2) == 0);
  CHECK(session.status().tick == 0);
  CHECK(session.rendezvous().tick(*driver, result, 1) != 0);
  CHECK(session.rendezvous().tick(*driver, result, 1) == 0);
  CHECK(session.status().tick == 1);
}

TEST_CASE("a waiting participant is released when it leaves, when the session pauses, and when the others leave",
          "[server][session]") {
  SessionSpec spec = rigSpec(Mode::kLockstep);
  Session session(spec);
  rt::Snapshot result(session.model());
  std::atomic<bool> gone{false};
  LeaseRequest request = ask(kDriver, "wheel");
  request.gone = [&] { return gone.load(); };
  auto driver = session.inputs().lease(request);
  auto bench = session.inputs().lease(ask(kBench, "bench"));

  std::uint64_t publication = 1;
  const auto waitWith = [&](const std::function<void()>& act) {
    std::thread waiting([&] { publication = session.rendezvous().tick(*driver, result); });
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
  waitWith([&] { bench.reset(); });  // no other participant is left
  CHECK(publication != 0);
  CHECK(session.status().tick == 1);
}

TEST_CASE("a reset or a restore voids the inputs that wait, and the next tick waits for all participants again",
          "[server][session]") {
  const bool restores = GENERATE(false, true);
  Session session(rigSpec(Mode::kLockstep));
  auto driver = session.inputs().lease(ask(kDriver, "wheel")), bench = session.inputs().lease(ask(kBench, "bench"));
  rt::Snapshot waited(session.model()), result(session.model());
  const rt::Snapshot saved = session.feed().newest();

  driver->input().values[0] = 1;
  REQUIRE(!session.rendezvous().arrive(*driver, waited));
  restores ? session.restore(saved, {}) : session.reset();
  if (restores) session.start();
  // The input of the driver is void: the tick of the bench waits for a new one.
  REQUIRE(!session.rendezvous().arrive(*bench, result));
  CHECK(session.rendezvous().awaitOthers(*driver, waited) == 0);
  CHECK(session.status().tick == 0);
  driver->input().values[0] = 2;
  REQUIRE(session.rendezvous().arrive(*driver, waited));
  CHECK(waited.header.tick == 1);
  CHECK(waited.inputs[0] == 2);
  CHECK(session.rendezvous().awaitOthers(*bench, result) != 0);
  CHECK(result.header.tick == 1);
}

TEST_CASE("a participant gets its own tick, whatever ticks came before it wakes up", "[server][session]") {
  const bool is_dismissed = GENERATE(false, true);
  Session session(rigSpec(Mode::kLockstep));
  auto driver = session.inputs().lease(ask(kDriver, "wheel")), bench = session.inputs().lease(ask(kBench, "bench"));
  rt::Snapshot waited(session.model()), result(session.model());
  driver->input().values[0] = 7;
  REQUIRE(!session.rendezvous().arrive(*driver, waited));
  REQUIRE(session.rendezvous().arrive(*bench, result));
  if (is_dismissed) REQUIRE(!session.rendezvous().arrive(*bench, result));  // for the next tick, which it does not get
  session.step(3, kNever);
  const std::uint64_t publication = session.rendezvous().awaitOthers(*driver, waited);
  CHECK(publication != 0);
  CHECK(waited.header.tick == 1);
  CHECK(waited.inputs[0] == 7);
  if (is_dismissed) CHECK(session.rendezvous().awaitOthers(*bench, result) == 0);
}

TEST_CASE("a participant that has lost its inputs gets no tick, and leaves those of its successor in place",
          "[server][session]") {
  const bool wakes_before_tick = GENERATE(true, false);
  Session session(rigSpec(Mode::kLockstep));
  auto driver = session.inputs().lease(ask(kDriver, "wheel")), bench = session.inputs().lease(ask(kBench, "bench"));
  rt::Snapshot lost(session.model()), result(session.model());
  REQUIRE(!session.rendezvous().arrive(*driver, lost));
  LeaseRequest rescue = ask(kDriver, "rescue");
  rescue.takeover_reason = "it hangs";
  auto successor = session.inputs().lease(rescue);
  successor->input().values[0] = 3;
  REQUIRE(!session.rendezvous().arrive(*successor, result));
  if (wakes_before_tick) CHECK(session.rendezvous().awaitOthers(*driver, lost) == 0);
  REQUIRE(session.rendezvous().arrive(*bench, result));
  CHECK(result.inputs[0] == 3);
  if (!wakes_before_tick) CHECK(session.rendezvous().awaitOthers(*driver, lost) == 0);
  CHECK(session.rendezvous().awaitOthers(*successor, result) != 0);
}

TEST_CASE("lockstep ticks once for each input, with the bits of the loop alone", "[server][session]") {
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

TEST_CASE("an input that a pause has refused is used by no later tick", "[server][session]") {
  SessionSpec spec = rigSpec(Mode::kLockstep);
  spec.participants = kDriver | kBench;
  spec.participant_timeout_ns = 2'000'000;
  spec.participant_rule = ParticipantRule::kPause;
  Session session(spec);
  auto driver = session.inputs().lease(ask(kDriver, "wheel"));  // the bench never arrives
  driver->input().values = {5, 0, 6};
  rt::Snapshot result(session.model());
  REQUIRE(session.rendezvous().tick(*driver, result) == 0);
  session.step(1, {});
  CHECK(inputsOf(session) == std::vector<double>{0, 0, 0});

  // Nor does it come back by the next controller of another actuator of the group.
  driver.reset();
  auto next = session.inputs().lease(ask(kDriver, "next"));
  CHECK(next->input().values == std::vector<double>{0, 0, 0});
}

TEST_CASE("the input of a participant that has left without a tick is void", "[server][session]") {
  Session session(rigSpec(Mode::kLockstep));
  std::atomic<bool> gone{false};
  LeaseRequest request = ask(kDriver, "wheel");
  request.gone = [&] { return gone.load(); };
  auto driver = session.inputs().lease(request), bench = session.inputs().lease(ask(kBench, "bench"));
  rt::Snapshot result(session.model());
  driver->input().values[0] = 5;
  REQUIRE(!session.rendezvous().arrive(*driver, result));
  gone = true;
  CHECK(session.rendezvous().awaitOthers(*driver, result) == 0);
  driver.reset();
  bench->input().values[1] = 3;
  REQUIRE(session.rendezvous().tick(*bench, result) != 0);
  CHECK(result.inputs == std::vector<double>{0, 3, 0});
}

TEST_CASE("a requested step uses no input that waits for other participants, and releases who waits",
          "[server][session]") {
  Session session(rigSpec(Mode::kLockstep));
  auto driver = session.inputs().lease(ask(kDriver, "wheel")), bench = session.inputs().lease(ask(kBench, "bench"));
  rt::Snapshot waited(session.model()), result(session.model());
  driver->input().values[0] = 5;
  REQUIRE(!session.rendezvous().arrive(*driver, waited, 1));
  session.step(1, {});
  CHECK(inputsOf(session)[0] == 0);
  CHECK(session.rendezvous().awaitOthers(*driver, waited) == 0);
  // The next tick waits for both again.
  REQUIRE(!session.rendezvous().arrive(*bench, result));
  REQUIRE(session.rendezvous().arrive(*driver, waited, 2));
  CHECK(waited.header.tick == 2);
  CHECK(waited.inputs[0] == 5);
}
