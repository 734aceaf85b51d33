// Authority over the actuators: a controller that vanishes, the safe state, and the way out of it.
// Covers: server/session/safe_state_watch.cpp
#include "tests/server/service/harness.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <string>
#include <vector>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::server::tests;
using Stub = v1::Simulation::Stub;

namespace {

// A puck whose first input ramps to 1 N within 4 ms, and whose second one does what is given.
std::string sledJson(const std::string& on_loss_y) {
  return R"({"name": "sled", "gravity": [0, 0, 0],
    "bodies": [{"name": "body", "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1}}],
    "actuators": [
      {"name": "push_x", "minimum": -10, "maximum": 10, "safe": 1, "on_loss": {"ramp_time": 0.004},
       "body_force": {"body": "body", "direction": [1, 0, 0]}},
      {"name": "push_y", "on_loss": )" +
         on_loss_y + R"(, "body_force": {"body": "body", "direction": [0, 1, 0]}}]})";
}

/// A session of the sled, with a clock of its own choice.
v1::Session createSled(Harness& harness, const std::string& name, v1::ClockMode clock,
                       const std::string& on_loss_y = "{}") {
  v1::LoadModelRequest load;
  load.set_json(sledJson(on_loss_y));
  const auto loaded = harness.call(&Stub::LoadModel, load);
  REQUIRE(loaded.status.ok());
  return harness.create(name, clock, "sled");
}

/// Every frame in order, or an error: a queue deep enough for a reader that keeps reading.
v1::ObserveRequest watchAll(const std::string& session) {
  v1::ObserveRequest request;
  request.set_session(session);
  request.add_signals("push_x");
  request.add_signals("push_y");
  request.set_delivery(v1::DELIVERY_QUEUE);
  request.set_queue_depth(4096);
  return request;
}

v1::StateFrame nextFrame(ObserveClient& watcher) {
  while (true) {
    const auto response = watcher.read();
    REQUIRE(response);
    if (response->has_frame()) return response->frame();
  }
}

/// The first frame in a mode; checks on the way that no frame is missing.
v1::StateFrame firstIn(ObserveClient& watcher, v1::InputMode mode) {
  v1::StateFrame frame = nextFrame(watcher);
  while (frame.input_mode() != mode) {
    const v1::StateFrame next = nextFrame(watcher);
    REQUIRE(next.tick() == frame.tick() + 1);
    frame = next;
  }
  return frame;
}

template <class Request>
Request named(const std::string& session) {
  Request request;
  request.set_session(session);
  return request;
}

}  // namespace

TEST_CASE("a vanished controller is lost at its miss limit, in ticks, and other sessions are not affected",
          "[server][service]") {
  Harness harness;
  CHECK(createSled(harness, "rig", v1::CLOCK_MODE_REAL_TIME).miss_limit() == 20);
  harness.create("other", v1::CLOCK_MODE_REAL_TIME);
  auto watcher = harness.observe(watchAll("rig"));
  auto other = harness.observe([] {
    v1::ObserveRequest request = observePuck("other");
    request.set_delivery(v1::DELIVERY_QUEUE);
    request.set_queue_depth(4096);
    return request;
  }());
  auto driver = harness.tick(openPuck("rig"));
  REQUIRE(driver->opened());
  harness.start("rig");
  harness.start("other");
  const std::int64_t other_begin = nextFrame(*other).tick();
  CHECK(nextFrame(*watcher).input_mode() == v1::INPUT_MODE_FREE);
  driver->send(1, {5, 3});
  const v1::StateFrame driven = firstIn(*watcher, v1::INPUT_MODE_DRIVEN);
  CHECK(driven.input_sequence() == 1);
  driver->vanish();

  // The 20th input is missing 20 ticks after the last one.
  v1::StateFrame frame = firstIn(*watcher, v1::INPUT_MODE_RAMPING);
  CHECK(frame.tick() == driven.tick() + 20);
  CHECK(frame.values(0) == 4);
  CHECK(frame.values(1) == 3);
  frame = firstIn(*watcher, v1::INPUT_MODE_SAFE);
  CHECK(frame.tick() == driven.tick() + 23);
  CHECK(frame.values(0) == 1);
  CHECK(frame.values(1) == 3);

  // The other session continues without a missing tick.
  v1::StateFrame seen = nextFrame(*other);
  for (std::int64_t tick = other_begin + 1; tick < other_begin + 20; ++tick) {
    CHECK(seen.tick() == tick);
    seen = nextFrame(*other);
  }

  // The inputs are free for another controller; what it sends is left aside until the safe state is cleared.
  harness.awaitNoDriver("rig");
  auto heir = harness.tick(openPuck("rig"));
  REQUIRE(heir->opened());
  heir->send(1, {-7, -2});
  while (harness.call(&Stub::GetTimingReport, named<v1::GetTimingReportRequest>("rig")).response.inputs_left_aside() ==
         0) {}
  CHECK(nextFrame(*watcher).input_mode() == v1::INPUT_MODE_SAFE);
  const auto cleared = harness.call(&Stub::ClearSafeState, named<v1::ClearSafeStateRequest>("rig"));
  REQUIRE(cleared.status.ok());
  CHECK(cleared.response.input_mode() == v1::INPUT_MODE_FREE);
  heir->send(2, {-7, -2});
  frame = firstIn(*watcher, v1::INPUT_MODE_DRIVEN);
  CHECK(frame.values(0) == -7);
  const auto report = harness.call(&Stub::GetTimingReport, named<v1::GetTimingReportRequest>("rig")).response;
  CHECK(report.input_losses() >= 1);
  CHECK(report.safe_entries() >= 1);
}

TEST_CASE("the safe state is entered and left on request, at a tick", "[server][service]") {
  Harness harness;
  createSled(harness, "rig", v1::CLOCK_MODE_LOCKSTEP);
  auto tick = harness.tick(openPuck("rig"));
  tick->send(1, {5, 3});
  CHECK(tick->frame().input_mode() == v1::INPUT_MODE_DRIVEN);

  REQUIRE(harness.call(&Stub::EnterSafeState, named<v1::EnterSafeStateRequest>("rig")).status.ok());
  for (std::uint64_t n = 2; n <= 6; ++n) {
    tick->send(n, {9, 9});
    const v1::StateFrame frame = tick->frame();
    CHECK(frame.input_mode() == (n < 5 ? v1::INPUT_MODE_RAMPING : v1::INPUT_MODE_SAFE));
    CHECK(frame.input_sequence() == 1);
    CHECK(frame.answered_sequence() == n);
    CHECK(frame.group_modes(0) == frame.input_mode());
    if (n > 2) continue;
    const v1::TickNotice entered = tick->notice();
    CHECK(entered.reason() == "SAFE_STATE_ENTERED");
    CHECK_THAT(entered.message(), Catch::Contains("by request") && Catch::Contains("tactus clear"));
  }
  v1::ReadSignalsRequest read = named<v1::ReadSignalsRequest>("rig");
  read.add_patterns("push_*");
  CHECK(harness.call(&Stub::ReadSignals, read).response.frame().values(0) == 1);
  CHECK(harness.call(&Stub::ReadSignals, read).response.frame().values(1) == 0);
  CHECK(harness.get("rig").input_mode() == v1::INPUT_MODE_SAFE);

  // An input that names one actuator only leaves the other where the safe state has put it.
  REQUIRE(harness.call(&Stub::ClearSafeState, named<v1::ClearSafeStateRequest>("rig")).status.ok());
  tick->closeInputs();
  tick->finish();
  v1::TickOpen open = openPuck("rig");
  open.clear_inputs();
  open.add_inputs("push_x");
  auto heir = harness.tick(open);
  heir->send(1, {2});
  CHECK(heir->frame().input_mode() == v1::INPUT_MODE_DRIVEN);
  CHECK(harness.call(&Stub::ReadSignals, read).response.frame().values(0) == 2);
  CHECK(harness.call(&Stub::ReadSignals, read).response.frame().values(1) == 0);
}

TEST_CASE("in lockstep and free run missing inputs are no loss without a miss limit", "[server][service]") {
  Harness harness;
  CHECK(createSled(harness, "rig", v1::CLOCK_MODE_LOCKSTEP).miss_limit() == 0);
  auto tick = harness.tick(openPuck("rig"));
  tick->send(1, {5, 3});
  tick->frame();
  harness.step("rig", 500);
  CHECK(harness.get("rig").input_mode() == v1::INPUT_MODE_DRIVEN);

  v1::CreateSessionRequest request;
  request.set_name("strict");
  request.set_model_name("sled");
  request.set_clock(v1::CLOCK_MODE_LOCKSTEP);
  request.set_miss_limit(2);
  CHECK(harness.call(&Stub::CreateSession, request).response.miss_limit() == 2);
  auto strict = harness.tick(openPuck("strict"));
  strict->send(1, {5, 3});
  strict->frame();
  harness.step("strict", 2);
  CHECK(harness.get("strict").input_mode() == v1::INPUT_MODE_RAMPING);
}

TEST_CASE("a loss that the model declares as a fault faults the session with its reason", "[server][service]") {
  Harness harness;
  createSled(harness, "rig", v1::CLOCK_MODE_REAL_TIME, R"({"action": "LOSS_ACTION_FAULT"})");
  auto watcher = harness.observe(watchAll("rig"));
  auto driver = harness.tick(openPuck("rig"));
  driver->send(1, {5, 3});
  harness.start("rig");
  std::string reason;
  while (reason != "SESSION_FAULTED") {
    const auto response = watcher->read();
    REQUIRE(response);
    if (response->has_notice()) reason = response->notice().reason();
  }
  const v1::Session session = harness.get("rig");
  CHECK(session.state() == v1::SESSION_STATE_FAULTED);
  CHECK_THAT(session.fault(), Catch::Contains("last 20 ticks") && Catch::Contains("missing"));
  CHECK_FALSE(session.state_hash().empty());
}

TEST_CASE("a snapshot taken during a loss continues in another session, bit for bit",
          "[server][service][determinism]") {
  struct Middle {
    const char* what;
    const char* model;
    std::string on_loss_y;
    std::int64_t ticks;  // after the last input
    int moving;          // number of the input that is on its way
    v1::InputMode end;
  };
  const Middle table[] = {
      {"of a ramp", "sled", "{}", 3, 0, v1::INPUT_MODE_SAFE},
      {"of an extrapolation", "sled",
       R"({"action": "LOSS_ACTION_EXTRAPOLATE", "extrapolate_ticks": 6, "then": "LOSS_ACTION_HOLD"})", 4, 1,
       v1::INPUT_MODE_SAFE},
      {"of a hold", "puck", "{}", 3, -1, v1::INPUT_MODE_HOLDING},
  };
  for (const Middle& middle : table) {
    INFO("in the middle " << middle.what);
    Harness harness;
    createSled(harness, "unused", v1::CLOCK_MODE_LOCKSTEP, middle.on_loss_y);
    for (const char* name : {"first", "second"}) {
      v1::CreateSessionRequest request;
      request.set_name(name);
      request.set_model_name(middle.model);
      request.set_clock(v1::CLOCK_MODE_LOCKSTEP);
      request.set_miss_limit(2);
      REQUIRE(harness.call(&Stub::CreateSession, request).status.ok());
    }
    const auto pushes = [&](const std::string& name) {
      v1::ReadSignalsRequest read = named<v1::ReadSignalsRequest>(name);
      read.add_patterns("push_*");
      const v1::StateFrame frame = harness.call(&Stub::ReadSignals, read).response.frame();
      return std::vector<double>{frame.values(0), frame.values(1)};
    };

    // Two inputs, so that there is a slope; then silence beyond the limit.
    auto tick = harness.tick(openPuck("first"));
    tick->send(1, {4, 3});
    tick->frame();
    tick->send(2, {5, 3.25});
    tick->frame();
    harness.step("first", middle.ticks);
    const std::vector<double> before = pushes("first");
    v1::RestoreSnapshotRequest restore = named<v1::RestoreSnapshotRequest>("second");
    *restore.mutable_snapshot() = harness.call(&Stub::SaveSnapshot, named<v1::SaveSnapshotRequest>("first")).response;
    REQUIRE(harness.call(&Stub::RestoreSnapshot, restore).status.ok());

    for (int i = 0; i < 12; ++i) {
      CHECK(harness.step("first", 1).state_hash() == harness.step("second", 1).state_hash());
      CHECK(pushes("first") == pushes("second"));
      CHECK(harness.get("first").input_mode() == harness.get("second").input_mode());
    }
    CHECK(harness.get("first").input_mode() == middle.end);
    const std::vector<double> after = pushes("first");
    for (int i = 0; i < 2; ++i)
      if (i == middle.moving) CHECK(after[static_cast<std::size_t>(i)] != before[static_cast<std::size_t>(i)]);
  }
}

TEST_CASE("the safe state of an unknown session is refused", "[server][service]") {
  Harness harness;
  CHECK(harness.call(&Stub::EnterSafeState, named<v1::EnterSafeStateRequest>("rig")).detail.reason() ==
        "SESSION_UNKNOWN");
  CHECK(harness.call(&Stub::ClearSafeState, named<v1::ClearSafeStateRequest>("rig")).detail.reason() ==
        "SESSION_UNKNOWN");
}

namespace {

/// Lets the controller of a lockstep session be silent beyond a limit of two ticks.
void beSilent(Harness& harness, const std::string& session) {
  harness.step(session, 6);
  REQUIRE(harness.get(session).input_mode() == v1::INPUT_MODE_SAFE);
}

v1::Session createStrict(Harness& harness) {
  createSled(harness, "unused", v1::CLOCK_MODE_LOCKSTEP);
  v1::CreateSessionRequest request;
  request.set_name("rig");
  request.set_model_name("sled");
  request.set_clock(v1::CLOCK_MODE_LOCKSTEP);
  request.set_miss_limit(2);
  return harness.call(&Stub::CreateSession, request).response;
}

}  // namespace

TEST_CASE("a stream that opens on the safe state is told, with the reason and the way out", "[server][service]") {
  Harness harness;
  createStrict(harness);
  auto driver = harness.tick(openPuck("rig"));
  CHECK(driver->opening().safe_state().empty());
  CHECK(driver->opening().input_mode() == v1::INPUT_MODE_FREE);
  driver->send(1, {5, 3});
  driver->frame();
  beSilent(harness, "rig");
  const v1::TickNotice entered = driver->notice();
  CHECK(entered.reason() == "SAFE_STATE_ENTERED");
  CHECK_THAT(entered.message(), Catch::Contains("inputs are ignored (group inputs): safe state since tick 3") &&
                                    Catch::Contains("sent no inputs") && Catch::Contains("leave_safe_state"));
  CHECK(harness.get("rig").safe_state() == entered.message());
  CHECK(harness.get("rig").groups(0).mode() == v1::INPUT_MODE_SAFE);
  driver->vanish();
  driver->finish();
  harness.awaitNoDriver("rig");

  // A controller that was lost leaves the safe state behind; its heir leaves it only on purpose.
  auto heir = harness.tick(openPuck("rig"));
  CHECK(heir->opening().input_mode() == v1::INPUT_MODE_SAFE);
  CHECK_THAT(heir->opening().safe_state(), Catch::Contains("are ignored"));
  heir->send(1, {-7, -2});
  CHECK(heir->frame().input_mode() == v1::INPUT_MODE_SAFE);
  heir->vanish();
  heir->finish();
  harness.awaitNoDriver("rig");

  v1::TickOpen open = openPuck("rig");
  open.set_leave_safe_state(true);
  auto next = harness.tick(open);
  CHECK(next->opening().safe_state().empty());
  next->send(1, {-7, -2});
  CHECK(next->frame().input_mode() == v1::INPUT_MODE_DRIVEN);
  CHECK(next->notice().reason() == "SAFE_STATE_LEFT");
  CHECK(harness.get("rig").safe_state().empty());
}

TEST_CASE("after a controller that ended in order the next one drives at once", "[server][service]") {
  Harness harness;
  createStrict(harness);
  auto driver = harness.tick(openPuck("rig"));
  driver->send(1, {5, 3});
  driver->frame();
  driver->leave();
  harness.awaitNoDriver("rig");
  beSilent(harness, "rig");  // nobody drives: the actuators go to their safe values
  auto heir = harness.tick(openPuck("rig"));
  CHECK(heir->opening().safe_state().empty());
  heir->send(1, {-7, -2});
  CHECK(heir->frame().input_mode() == v1::INPUT_MODE_DRIVEN);
}

TEST_CASE("a safe state that was requested stays for every new controller", "[server][service]") {
  Harness harness;
  createStrict(harness);
  harness.tick(openPuck("rig"))->leave();
  harness.awaitNoDriver("rig");
  REQUIRE(harness.call(&Stub::EnterSafeState, named<v1::EnterSafeStateRequest>("rig")).status.ok());
  harness.step("rig", 6);
  v1::TickOpen open = openPuck("rig");
  open.set_leave_safe_state(true);
  auto heir = harness.tick(open);
  CHECK_THAT(heir->opening().safe_state(), Catch::Contains("by request"));
  heir->send(1, {-7, -2});
  CHECK(heir->frame().input_mode() == v1::INPUT_MODE_SAFE);
}

TEST_CASE("a session in real time tells its streams of the safe state", "[server][service]") {
  Harness harness;
  createSled(harness, "rig", v1::CLOCK_MODE_REAL_TIME);
  auto watcher = harness.observe(watchAll("rig"));
  auto driver = harness.tick(openPuck("rig"));
  driver->send(1, {5, 3});
  harness.start("rig");
  const auto nextNotice = [&](const std::string& reason) {
    while (true) {
      const auto response = watcher->read();
      REQUIRE(response);
      if (response->has_notice() && response->notice().reason() == reason) return response->notice();
    }
  };
  CHECK(nextNotice("SAFE_STATE_ENTERED").tick() >= 20);
  REQUIRE(harness.call(&Stub::ClearSafeState, named<v1::ClearSafeStateRequest>("rig")).status.ok());
  nextNotice("SAFE_STATE_LEFT");
}

TEST_CASE("missing inputs count anew after a start and after a restore", "[server][service]") {
  Harness harness;
  createStrict(harness);
  auto driver = harness.tick(openPuck("rig"));
  driver->send(1, {5, 3});
  driver->frame();
  harness.step("rig", 1);  // one of two is missing
  v1::RestoreSnapshotRequest restore = named<v1::RestoreSnapshotRequest>("rig");
  *restore.mutable_snapshot() = harness.call(&Stub::SaveSnapshot, named<v1::SaveSnapshotRequest>("rig")).response;
  REQUIRE(harness.call(&Stub::RestoreSnapshot, restore).status.ok());
  harness.step("rig", 1);
  CHECK(harness.get("rig").input_mode() == v1::INPUT_MODE_DRIVEN);
  harness.pause("rig");
  harness.start("rig");
  harness.step("rig", 1);
  CHECK(harness.get("rig").input_mode() == v1::INPUT_MODE_DRIVEN);
  harness.step("rig", 1);
  CHECK(harness.get("rig").input_mode() == v1::INPUT_MODE_RAMPING);
}
