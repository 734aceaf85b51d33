// Lockstep over the wire where a tick is not made where its input arrives: several participants, teams of threads.
#include "rt/ali3p/compile_plan.h"
#include "rt/loop/tick_loop.h"
#include "rt/model/model.h"
#include "server/model_io/model_file.h"
#include "server/models/built_in_models.h"
#include "tests/server/service/harness.h"

#include <catch2/catch.hpp>

#include <memory>
#include <string>
#include <thread>
#include <vector>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::server::tests;

namespace {

// One push by each of three controllers.
constexpr const char* kRig = R"({
  "name": "rig", "gravity": [0, 0, 0],
  "bodies": [{"name": "body", "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1}}],
  "actuators": [
    {"name": "push_0", "group": "a", "body_force": {"body": "body", "direction": [1, 0, 0]}},
    {"name": "push_1", "group": "b", "body_force": {"body": "body", "direction": [0, 1, 0]}},
    {"name": "push_2", "group": "c", "body_force": {"body": "body", "direction": [0, 0, 1]}}
  ]
})";

SessionSpec rigSpec() {
  SessionSpec spec;
  spec.name = "rig";
  spec.model = std::make_shared<const rt::Model>(rt::buildModel(readModelText(kRig, ModelSyntax::kJson).spec));
  spec.clock.mode = ClockChoice::Mode::kLockstep;
  return spec;
}

std::unique_ptr<TickClient> openPush(Harness& harness, int push) {
  v1::TickOpen open;
  open.set_session("rig");
  open.add_inputs("push_" + std::to_string(push));
  open.add_outputs("push_*");
  return harness.tick(open);
}

}  // namespace

TEST_CASE("the frames of a stream name its own inputs, whatever the numbers of other controllers",
          "[server][service]") {
  Harness harness;
  SessionSpec spec = rigSpec();
  spec.clock.mode = ClockChoice::Mode::kRealTime;
  harness.sessions().create(spec);
  auto fast = openPush(harness, 0), slow = openPush(harness, 1);
  harness.start("rig");
  const auto frameWith = [](TickClient& client, std::uint64_t sequence) {
    while (true) {
      const auto response = client.read();
      REQUIRE(response);
      if (!response->has_frame()) continue;
      client.acknowledge(response->frame().sequence());
      if (response->frame().input_sequence() >= sequence) return response->frame();
    }
  };
  fast->send(80, {8});
  CHECK(frameWith(*fast, 1).input_sequence() == 80);
  slow->send(1, {3});
  // The first frame that names an input of this stream has used it.
  const v1::StateFrame frame = frameWith(*slow, 1);
  CHECK(frame.input_sequence() == 1);
  CHECK(frame.values(1) == 3);

  // The next holder of the group begins to count anew.
  fast->leave();
  fast = openPush(harness, 0);
  CHECK(frameWith(*fast, 0).input_sequence() == 0);
}

TEST_CASE("over the wire a tick waits for all participants, and each gets its frame", "[server][service]") {
  Harness harness;
  SessionSpec spec = rigSpec();
  spec.participants = 7;
  harness.sessions().create(spec);
  constexpr int kPushes = 3, kTicks = 300;
  bool good[kPushes] = {};
  const auto drive = [&](int push) {
    auto client = openPush(harness, push);
    bool all = client->opened();
    for (std::uint64_t i = 1; all && i <= kTicks; ++i) {
      client->send(i, {static_cast<double>(i)});
      const auto response = client->read();
      // No participant is ahead: each tick has the inputs with its number.
      all = response && response->has_frame() && response->frame().tick() == static_cast<std::int64_t>(i) &&
            response->frame().answered_sequence() == i && response->frame().values_size() == kPushes;
      for (int k = 0; all && k < kPushes; ++k) all = response->frame().values(k) == static_cast<double>(i);
    }
    client->closeInputs();
    good[push] = all && client->finish().status.ok();
  };
  std::vector<std::thread> clients;
  for (int push = 0; push < kPushes; ++push) clients.emplace_back(drive, push);
  for (std::thread& client : clients) client.join();
  for (const bool one : good) CHECK(one);
  CHECK(harness.get("rig").tick() == kTicks);
}

TEST_CASE("a participant that vanishes or closes its side releases the waiting one", "[server][service]") {
  Harness harness;
  harness.sessions().create(rigSpec());
  auto first = openPush(harness, 0), second = openPush(harness, 1);
  REQUIRE(first->opened());
  REQUIRE(second->opened());
  REQUIRE(first->send(1, {1}));
  SECTION("it vanishes") {
    second->vanish();
  }
  SECTION("it closes its side") {
    second->closeInputs();
  }
  SECTION("it sends what it may not") {
    CHECK(second->acknowledge(0));
    second->closeInputs();
  }
  CHECK(first->frame().tick() == 1);
  REQUIRE(first->send(2, {1}));
  CHECK(first->frame().tick() == 2);
}

TEST_CASE("a participant that vanishes while it waits does not delay the others", "[server][service]") {
  Harness harness;
  harness.sessions().create(rigSpec());
  auto first = openPush(harness, 0), second = openPush(harness, 1);
  REQUIRE(first->opened());
  REQUIRE(first->send(1, {1}));
  first->vanish();
  while (harness.get("rig").tick_streams() > 1) std::this_thread::yield();
  REQUIRE(second->send(1, {1}));
  CHECK(second->frame().tick() == 1);
}

TEST_CASE("deleting a session ends the streams of waiting participants", "[server][service]") {
  Harness harness;
  harness.sessions().create(rigSpec());
  auto first = openPush(harness, 0), second = openPush(harness, 1);
  REQUIRE(second->opened());
  REQUIRE(first->send(1, {1}));
  harness.sessions().remove("rig");
  const auto end = first->finish();
  CHECK(end.status.error_code() == grpc::StatusCode::ABORTED);
  CHECK(end.detail.reason() == "SESSION_DELETED");
  CHECK(second->finish().detail.reason() == "SESSION_DELETED");
}

TEST_CASE("a drain tells a participant that waits for an absent one", "[server][service]") {
  Harness harness;
  SessionSpec spec = rigSpec();
  spec.participants = 3;
  harness.sessions().create(spec);
  auto first = openPush(harness, 0);
  REQUIRE(first->opened());
  REQUIRE(first->send(1, {1}));
  while (harness.get("rig").state() != v1::SESSION_STATE_RUNNING) std::this_thread::yield();  // it waits
  harness.server().drain("maintenance");
  CHECK(first->notice().reason() == "DRAINING");
  const auto end = first->finish();
  CHECK(end.status.error_code() == grpc::StatusCode::UNAVAILABLE);
  CHECK(end.detail.reason() == "DRAINING");
}

TEST_CASE("a session whose steps are shared by threads ends in the same state", "[server][service][determinism]") {
  Harness harness;
  const auto model = std::make_shared<const rt::Model>(rt::buildModel(openBuiltInModel("chain:n=512").spec));
  std::vector<std::string> hashes;
  for (const int threads : {1, 2}) {
    SessionSpec spec;
    spec.name = "team-" + std::to_string(threads);
    spec.model = model;
    spec.clock.mode = ClockChoice::Mode::kLockstep;
    spec.realtime.threads = threads;
    spec.realtime.oversubscribe = true;
    harness.sessions().create(spec);
    v1::TickOpen open;
    open.set_session(spec.name);
    for (const std::string& name : model->actuator_names) open.add_inputs(name);
    auto tick = harness.tick(open);
    REQUIRE(tick->opened());
    for (std::uint64_t i = 1; i <= 50; ++i) {
      REQUIRE(tick->send(i, std::vector<double>(model->actuators.size(), 0.1)));
      CHECK(tick->frame().tick() == static_cast<std::int64_t>(i));
    }
    hashes.push_back(harness.get(spec.name).state_hash());
  }
  CHECK(hashes[0] == hashes[1]);
}
