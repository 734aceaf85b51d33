// Covers: server/session/input_authority.cpp
// What a controller takes over from the one before it, and what it does not.
#include "rt/model/model.h"
#include "server/session/input_authority.h"

#include "tests/server/session/puck_session.h"
#include "tests/server/session/rig.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::server::tests;
using Mode = ClockChoice::Mode;

namespace {

/// Two actuators of one group. On the loss of their controller the steering holds, and the throttle does `on_loss`.
SessionSpec carSpec(const std::string& on_loss) {
  const std::string model = R"({
    "name": "car", "gravity": [0, 0, 0],
    "bodies": [{"name": "body", "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1}}],
    "actuators": [
      {"name": "throttle", "body_force": {"body": "body", "direction": [1, 0, 0]}, "on_loss": )" +
                            on_loss + R"(},
      {"name": "steer", "body_force": {"body": "body", "direction": [0, 1, 0]}}
    ]})";
  SessionSpec spec = rigSpec(Mode::kFreeRun, 3);
  spec.model = std::make_shared<const rt::Model>(rt::buildModel(readModelText(model, ModelSyntax::kJson).spec));
  return spec;
}

}  // namespace

TEST_CASE("inputs of a controller that has ended do not override those of its successor", "[server][session]") {
  const bool scheduled = GENERATE(false, true), same_writer = GENERATE(false, true);
  Session session(rigSpec(Mode::kFreeRun));
  // A lease takes the first free writer of the loop.
  std::unique_ptr<InputLease> other;
  if (!same_writer) other = session.inputs().lease(ask(kBench, "rig pc"));
  auto former = session.inputs().lease(ask(kDriver, "wheel"));
  former->input().values = {1, 0, 1};
  former->offer();
  session.step(1, {});
  former->input().values = {7, 0, 7};
  if (scheduled)
    REQUIRE(former->offerAt(5) == rt::ScheduleResult::kKept);
  else
    former->offer();
  former->leave();
  other.reset();
  former.reset();

  auto next = session.inputs().lease(ask(kDriver, "next"));
  for (int tick = 2; tick <= 8; ++tick) {
    next->input().values = {2, 0, 2};
    next->offer();
    session.step(1, {});
    CHECK(inputsOf(session) == std::vector<double>{2, 0, 2});
  }
  CHECK(next->fate().used == 7);
  CHECK(session.timing().inputs_left_aside == 0);
}

TEST_CASE("the last input of a controller that has ended counts as long as nobody follows", "[server][session]") {
  Session session(rigSpec(Mode::kFreeRun));
  auto driver = session.inputs().lease(ask(kDriver, "wheel"));
  driver->input().values = {7, 0, 8};
  driver->offerAt(3);
  driver->leave();
  driver.reset();
  session.step(3, {});
  CHECK(inputsOf(session) == std::vector<double>{7, 0, 8});
}

TEST_CASE("a controller of some actuators of a group leaves the others where the loss of the former one has taken them",
          "[server][session]") {
  const bool in_order = GENERATE(true, false);
  Session session(carSpec(R"({"action": "LOSS_ACTION_ZERO"})"));
  auto former = session.inputs().lease(ask(1, "wheel"));
  former->input().values = {0.8, 0.1};
  former->offer();
  session.step(1, {});
  if (in_order) former->leave();
  former.reset();
  session.step(10, {});
  REQUIRE(inputsOf(session) == std::vector<double>{0, 0.1});

  LeaseRequest request = ask(1, "next");
  request.leave_safe_state = true;
  auto next = session.inputs().lease(request);
  next->input().values[1] = 0.2;
  next->offer();
  session.step(1, {});
  CHECK(inputsOf(session) == std::vector<double>{0, 0.2});
}

TEST_CASE("the next controller begins with the values that the loss action has reached when it ends",
          "[server][session]") {
  // A ramp of 3.6e6 ticks: it does not end during the test.
  Session session(carSpec(R"({"action": "LOSS_ACTION_RAMP", "ramp_time": 3600})"));
  session.start();
  const auto tickOf = [&] { return session.feed().newest().header.tick; };
  // A tick that is under way at the lease does not see that a controller follows; some repetitions have one.
  for (int repetition = 0; repetition < 100; ++repetition) {
    auto former = session.inputs().lease(ask(1, "wheel"));
    former->input().values[0] = 0.8;
    former->offer();
    awaitTick(session, tickOf() + 2);
    former.reset();
    awaitTick(session, tickOf() + 10);
    LeaseRequest request = ask(1, "next");
    request.leave_safe_state = true;
    auto next = session.inputs().lease(request);
    REQUIRE(next->resumed() == 1);
    awaitTick(session, tickOf() + 3);
    REQUIRE(inputsOf(session)[0] < 0.8);  // the former controller's value
    REQUIRE(next->input().values[0] == inputsOf(session)[0]);
  }
}

TEST_CASE("scheduled inputs of a controller that has ended leave its successor free to schedule", "[server][session]") {
  Session session(rigSpec(Mode::kFreeRun));  // stands: no tick empties the queue
  auto former = session.inputs().lease(ask(kDriver, "wheel"));
  std::int64_t far = 10'000'000;
  while (former->offerAt(far) == rt::ScheduleResult::kKept) ++far;
  former.reset();
  auto next = session.inputs().lease(ask(kDriver, "next"));
  next->input().values[0] = 2;
  CHECK(next->offerAt(3) == rt::ScheduleResult::kKept);
  session.step(2, {});
  CHECK(inputsOf(session)[0] == 0);
  session.step(1, {});
  CHECK(inputsOf(session)[0] == 2);
}

TEST_CASE("an input that a takeover has discarded does not come back under a later lease", "[server][session]") {
  Session session(rigSpec(Mode::kFreeRun));
  auto former = session.inputs().lease(ask(kDriver, "wheel"));
  former->input().values = {7, 0, 7};
  former->offer();
  LeaseRequest rescue = ask(kDriver, "rescue");
  rescue.takeover_reason = "it hangs";
  auto successor = session.inputs().lease(rescue);
  former.reset();
  successor.reset();
  auto third = session.inputs().lease(ask(kDriver, "third"));
  session.step(1, {});
  CHECK(inputsOf(session) == std::vector<double>{0, 0, 0});
  CHECK(third->fate().used == 0);
}

TEST_CASE("after a restore a controller does not leave a safe state because a later one had closed in order",
          "[server][session]") {
  Session session(rigSpec(Mode::kFreeRun, 3));
  auto killed = session.inputs().lease(ask(kBench, "killed"));
  killed->input().values[1] = 1;
  killed->offer();
  session.step(1, {});
  killed.reset();
  session.step(10, {});
  const rt::Snapshot saved = session.feed().newest();
  REQUIRE(saved.header.input_loss[1].latched);
  session.clearSafeState();
  session.step(1, {});
  auto orderly = session.inputs().lease(ask(kBench, "orderly"));
  orderly->offer();
  session.step(1, {});
  orderly->leave();
  orderly.reset();

  session.restore(saved, {});
  auto next = session.inputs().lease(ask(kBench, "next"));
  CHECK(next->resumed() == 0);
  next->input().values[1] = 4;
  next->offer();
  session.step(1, {});
  CHECK(inputsOf(session)[1] == 0);
}
