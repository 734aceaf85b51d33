// Lockstep over the wire: one input is one tick.
// Covers: server/service/tick_call.cpp, server/service/stream_calls.cpp
// Covers: server/service/call_order.h, server/stream/tick_stream.cpp
#include "rt/ali3p/compile_plan.h"
#include "rt/loop/tick_loop.h"
#include "rt/model/model.h"
#include "server/models/built_in_models.h"
#include "tests/server/service/harness.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstring>
#include <thread>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::server::tests;
using Stub = v1::Simulation::Stub;

namespace {

double torque(std::uint64_t i) {
  return 0.2 * std::sin(0.03 * static_cast<double>(i));
}

v1::TickOpen openMotor(const std::string& session) {
  v1::TickOpen open;
  open.set_session(session);
  open.add_inputs("motor");
  open.add_outputs("crank.*");
  return open;
}

}  // namespace

TEST_CASE("one input is one tick, answered by the frame of that tick", "[server][service]") {
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);
  auto tick = harness.tick(openPuck("rig"));
  REQUIRE(tick->opened());
  CHECK(tick->opening().clock() == v1::CLOCK_MODE_LOCKSTEP);
  CHECK(tick->opening().tick() == 0);
  REQUIRE(tick->opening().outputs().signals_size() == 3);

  for (std::uint64_t i = 1; i <= 200; ++i) {
    REQUIRE(tick->send(10 * i, {1, 0}));
    const v1::StateFrame frame = tick->frame();
    REQUIRE(frame.tick() == static_cast<std::int64_t>(i));
    REQUIRE(frame.sequence() == i);
    REQUIRE(frame.input_sequence() == 10 * i);
    REQUIRE(frame.input_age_ticks() == 0);
    REQUIRE(frame.frames_missed() == 0);
    REQUIRE(frame.sim_time_ns() == frame.tick() * tick->opening().period_ns());
  }
  CHECK(harness.get("rig").tick() == 200);
  CHECK(harness.get("rig").state() == v1::SESSION_STATE_RUNNING);
  CHECK(harness.get("rig").tick_streams() == 1);
  tick->closeInputs();
  CHECK(tick->finish().status.ok());
  CHECK(harness.get("rig").tick() == 200);
}

TEST_CASE("inputs sent ahead are all used in order", "[server][service]") {
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);
  auto tick = harness.tick(openPuck("rig"));
  constexpr std::uint64_t kInputs = 500;
  std::thread sender([&] {
    for (std::uint64_t i = 1; i <= kInputs; ++i) tick->send(i, {0, 0});
  });
  bool ordered = true;
  for (std::uint64_t i = 1; i <= kInputs; ++i) {
    const auto response = tick->read();
    ordered = ordered && response && response->has_frame() && response->frame().input_sequence() == i;
  }
  sender.join();
  CHECK(ordered);
}

TEST_CASE("the wire changes no bit: the stream ends in the state of the loop driven directly",
          "[server][service][determinism]") {
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP, "motor_four_bar");
  const rt::Model model = rt::buildModel(openBuiltInModel("motor_four_bar").spec);
  const rt::Plan plan = rt::compilePlan(model);
  rt::TickLoop loop(model, plan, rt::chooseSettings(model), rt::initialState(model).state);

  auto tick = harness.tick(openMotor("rig"));
  REQUIRE(tick->opened());
  rt::ActuatorInput input(model);
  rt::Snapshot snapshot(model);
  const rt::SignalDirectory directory(model);
  rt::SignalReader reader(directory, directory.resolve({"crank.*"}));
  std::vector<double> expected(reader.indices().size());
  bool same = true;
  for (std::uint64_t i = 1; i <= 1000; ++i) {
    tick->send(i, {torque(i)});
    input.sequence = i;
    input.values[0] = torque(i);
    loop.inputs().offer(input);
    loop.tick();
    loop.ring().newest(snapshot);
    reader.read(snapshot, expected);
    const v1::StateFrame frame = tick->frame();
    same = same && frame.values_size() == static_cast<int>(expected.size()) &&
           std::memcmp(frame.values().data(), expected.data(), sizeof(double) * expected.size()) == 0;
  }
  CHECK(same);
  CHECK(harness.get("rig").state_hash() == rt::formatHash(rt::hashState(loop.state())));
}

TEST_CASE("the same inputs as a script of a free-running session end in the same hash",
          "[server][service][determinism]") {
  constexpr std::uint64_t kTicks = 300;
  Harness harness;
  harness.create("live", v1::CLOCK_MODE_LOCKSTEP, "motor_four_bar");
  auto tick = harness.tick(openMotor("live"));
  v1::CreateSessionRequest scripted;
  scripted.set_name("scripted");
  scripted.set_model_name("motor_four_bar");
  scripted.set_clock(v1::CLOCK_MODE_FREE_RUN);
  scripted.set_stop_tick(kTicks);
  for (std::uint64_t i = 1; i <= kTicks; ++i) {
    tick->send(i, {torque(i)});
    tick->frame();
    auto& input = *scripted.add_scripted_inputs();
    input.set_tick(static_cast<std::int64_t>(i));
    input.add_values(torque(i));
  }
  REQUIRE(harness.call(&Stub::CreateSession, scripted).status.ok());
  harness.start("scripted");
  harness.awaitTick("scripted", kTicks);
  v1::Session finished = harness.get("scripted");
  while (finished.state() == v1::SESSION_STATE_RUNNING) finished = harness.get("scripted");
  CHECK(finished.state() == v1::SESSION_STATE_FINISHED);
  CHECK(finished.state_hash() == harness.get("live").state_hash());
}

TEST_CASE("a paused session refuses inputs until it continues", "[server][service]") {
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);
  auto tick = harness.tick(openPuck("rig"));
  tick->send(1, {0, 0});
  CHECK(tick->frame().tick() == 1);
  harness.pause("rig");
  CHECK(tick->notice().reason() == "SESSION_PAUSED");
  tick->send(2, {0, 0});
  const v1::TickNotice refused = tick->notice();
  CHECK(refused.reason() == "INPUT_REFUSED");
  CHECK(refused.detail().reason() == "SESSION_STATE");
  CHECK(refused.input_sequence() == 2);
  harness.start("rig");
  CHECK(tick->notice().reason() == "SESSION_STARTED");
  tick->send(2, {0, 0});  // no tick has used it
  CHECK(tick->frame().tick() == 2);
  tick->send(2, {0, 0});
  CHECK_THAT(tick->notice().message(), Catch::Contains("sequence 2 does not rise above 2"));
  tick->send(3, {0, 0});
  CHECK(tick->frame().tick() == 3);
  // A client that goes on with the next number has left none out.
  harness.pause("rig");
  CHECK(tick->notice().reason() == "SESSION_PAUSED");
  tick->send(4, {0, 0});
  CHECK(tick->notice().reason() == "INPUT_REFUSED");
  harness.start("rig");
  CHECK(tick->notice().reason() == "SESSION_STARTED");
  tick->send(5, {0, 0});
  CHECK(tick->frame().tick() == 4);
  CHECK(harness.sessions().find("rig")->inputs().counts().lost == 0);
}

TEST_CASE("a script gives values to actuators that a controller of their group does not drive",
          "[server][service][determinism]") {
  Harness harness;
  const auto create = [&](const std::string& name) {
    v1::CreateSessionRequest request;
    request.set_name(name);
    request.set_model_name("puck");
    request.set_clock(v1::CLOCK_MODE_LOCKSTEP);
    auto& input = *request.add_scripted_inputs();
    input.set_tick(3);
    input.add_values(2);
    input.add_values(5);
    REQUIRE(harness.call(&Stub::CreateSession, request).status.ok());
  };
  create("driven");
  v1::TickOpen open = openPuck("driven");
  open.mutable_inputs()->DeleteSubrange(1, 1);
  open.clear_outputs();
  open.add_outputs("push_*");
  auto tick = harness.tick(open);
  REQUIRE(tick->opened());
  for (std::uint64_t i = 1; i <= 6; ++i) {
    tick->send(i, {1});
    const v1::StateFrame frame = tick->frame();
    CHECK(frame.values(0) == (i == 3 ? 2 : 1));
    CHECK(frame.values(1) == (i >= 3 ? 5 : 0));
  }
  // A block without inputs has the ticks of StepSession.
  create("stepped");
  create("block");
  v1::RunSessionRequest block;
  block.set_session("block");
  block.set_ticks(8);
  REQUIRE(harness.call(&Stub::RunBlock, block).status.ok());
  CHECK(harness.get("block").state_hash() == harness.step("stepped", 8).state_hash());
}

TEST_CASE("a stream that drives some actuators leaves the others as they were", "[server][service]") {
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);
  {
    auto both = harness.tick(openPuck("rig"));
    both->send(1, {3, 4});
    both->frame();
    both->closeInputs();
    CHECK(both->finish().status.ok());
  }
  v1::TickOpen open = openPuck("rig");
  open.mutable_inputs()->DeleteSubrange(0, 1);
  open.clear_outputs();
  open.add_outputs("push_*");
  auto one = harness.tick(open);
  REQUIRE(one->opened());
  one->send(1, {-1});
  const v1::StateFrame frame = one->frame();
  CHECK(frame.values(0) == 3);
  CHECK(frame.values(1) == -1);
}

TEST_CASE("packed frames carry the same values as bytes", "[server][service]") {
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);
  v1::TickOpen open = openPuck("rig");
  open.set_packed(true);
  auto tick = harness.tick(open);
  tick->send(1, {5, 0});
  const v1::StateFrame frame = tick->frame();
  CHECK(frame.values_size() == 0);
  REQUIRE(frame.packed().size() == 3 * sizeof(double));
  double x = 0;
  std::memcpy(&x, frame.packed().data(), sizeof x);
  CHECK(x > 0);
}

TEST_CASE("a vanished driver frees the inputs; the session keeps its state", "[server][service]") {
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);
  harness.create("other", v1::CLOCK_MODE_REAL_TIME);
  harness.start("other");
  auto watcher = harness.observe(observePuck("other"));
  {
    auto driver = harness.tick(openPuck("rig"));
    driver->send(1, {1, 1});
    driver->frame();
    driver->vanish();
  }
  harness.awaitNoStreams("rig");
  auto next = harness.tick(openPuck("rig"));
  REQUIRE(next->opened());
  CHECK(next->opening().tick() == 1);
  next->send(1, {0, 0});
  CHECK(next->frame().tick() == 2);

  // The other session and its reader have not noticed.
  const std::int64_t tick = watcher->frame().tick();
  CHECK(watcher->frame().tick() > tick);
  CHECK(harness.get("other").state() == v1::SESSION_STATE_RUNNING);
}
