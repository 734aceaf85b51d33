// Calls on models, sessions, signals and timing, and the server itself.
// Covers: server/build_info.cpp
// Covers: server/service/answer.h, server/service/model_calls.cpp, server/service/model_store.cpp
// Covers: server/service/server.cpp, server/service/session_calls.cpp, server/service/signal_calls.cpp
// Covers: server/service/simulation_service.cpp, server/session/session_message.cpp
// Covers: server/session/session_timing.cpp, server/wire/timing_report.cpp
#include "server/build_info.h"
#include "tests/server/puck.h"
#include "tests/server/service/harness.h"

#include <catch2/catch.hpp>

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>

#include <sys/stat.h>
#include <unistd.h>

#include <numeric>
#include <set>
#include <thread>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::server::tests;
using Stub = v1::Simulation::Stub;

TEST_CASE("built-in models are listed, read and parametrized", "[server][service]") {
  Harness harness;
  std::set<std::string> names;
  const v1::ListModelsResponse list = harness.call(&Stub::ListModels, v1::ListModelsRequest{}).response;
  for (const v1::ModelInfo& info : list.models()) names.insert(info.name());
  for (const char* name : {"double_pendulum", "four_bar", "chain", "motor_four_bar", "puck"})
    CHECK(names.count(name) == 1);

  v1::GetModelRequest get;
  get.set_name("chain:n=5");
  const auto chain = harness.call(&Stub::GetModel, get);
  REQUIRE(chain.status.ok());
  CHECK(chain.response.model().bodies_size() == 5);
  CHECK(chain.response.info().built_in());
}

TEST_CASE("a loaded model can be read, run and replaced", "[server][service]") {
  Harness harness;
  v1::GetModelRequest get;
  get.set_name("puck");
  v1::Model model = harness.call(&Stub::GetModel, get).response.model();
  REQUIRE(model.bodies_size() == 1);

  v1::LoadModelRequest load;
  model.mutable_bodies(0)->set_mass(2);
  *load.mutable_model() = model;
  CHECK(harness.call(&Stub::LoadModel, load).status.ok());
  CHECK(harness.call(&Stub::GetModel, get).response.model().bodies(0).mass() == 2);
}

TEST_CASE("a model that is removed frees its name, and its sessions continue", "[server][service]") {
  Harness harness;
  v1::GetModelRequest get;
  get.set_name("puck");
  v1::LoadModelRequest load;
  *load.mutable_model() = harness.call(&Stub::GetModel, get).response.model();
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);
  const std::string first = harness.step("rig", 3).state_hash();
  v1::SaveSnapshotRequest save;
  save.set_session("rig");
  v1::RestoreSnapshotRequest restore;
  restore.set_session("rig");
  *restore.mutable_snapshot() = harness.call(&Stub::SaveSnapshot, save).response;

  v1::UnloadModelRequest unload;
  unload.set_name("puck");
  REQUIRE(harness.call(&Stub::UnloadModel, unload).status.ok());
  CHECK(harness.call(&Stub::UnloadModel, unload).detail.reason() == "MODEL_UNKNOWN");
  CHECK(harness.call(&Stub::GetModel, get).detail.reason() == "MODEL_UNKNOWN");
  v1::CreateSessionRequest create;
  create.set_model_name("puck");
  CHECK(harness.call(&Stub::CreateSession, create).detail.reason() == "MODEL_UNKNOWN");
  unload.set_name("chain:n=3");
  CHECK(harness.call(&Stub::UnloadModel, unload).detail.reason() == "REQUEST_INVALID");

  // The session has all that it needs: to begin again, to go back to a snapshot, and to tell its model.
  v1::ResetSessionRequest reset;
  reset.set_session("rig");
  REQUIRE(harness.call(&Stub::ResetSession, reset).status.ok());
  CHECK(harness.step("rig", 3).state_hash() == first);
  harness.step("rig", 5);
  const auto restored = harness.call(&Stub::RestoreSnapshot, restore);
  CHECK(restored.response.state_hash() == first);
  v1::GetModelRequest of_session;
  of_session.set_session("rig");
  CHECK(harness.call(&Stub::GetModel, of_session).response.model().bodies_size() == 1);

  // Another model of that name is a new one, also for later sessions.
  load.mutable_model()->mutable_bodies(0)->set_mass(2);
  const auto loaded = harness.call(&Stub::LoadModel, load);
  REQUIRE(loaded.status.ok());
  CHECK_FALSE(loaded.response.replaced());
  harness.create("heavy", v1::CLOCK_MODE_LOCKSTEP);
  CHECK(harness.call(&Stub::GetModel, get).response.model().bodies(0).mass() == 2);
  CHECK(harness.call(&Stub::GetModel, of_session).response.model().bodies(0).mass() == 0.001);
}

TEST_CASE("a session goes through its states", "[server][service]") {
  Harness harness;
  const v1::Session created = harness.create("rig", v1::CLOCK_MODE_REAL_TIME);
  CHECK(created.state() == v1::SESSION_STATE_READY);
  CHECK(created.inputs_size() == 2);
  CHECK(created.period_ns() == 1'000'000);
  CHECK(created.state_hash().size() == 16);

  const v1::Session running = harness.start("rig");
  CHECK(running.state() == v1::SESSION_STATE_RUNNING);
  CHECK(running.state_hash().empty());
  harness.awaitTick("rig", 3);
  const v1::Session paused = harness.pause("rig");
  CHECK(paused.state() == v1::SESSION_STATE_PAUSED);
  CHECK(paused.tick() >= 3);
  CHECK(paused.sim_time_ns() == paused.tick() * paused.period_ns());
  CHECK(harness.step("rig", 10).tick() == paused.tick() + 10);

  v1::ResetSessionRequest reset;
  reset.set_session("rig");
  const v1::Session ready = harness.call(&Stub::ResetSession, reset).response;
  CHECK(ready.state() == v1::SESSION_STATE_READY);
  CHECK(ready.tick() == 0);
  CHECK(ready.state_hash() == created.state_hash());

  v1::DeleteSessionRequest remove;
  remove.set_session("rig");
  CHECK(harness.call(&Stub::DeleteSession, remove).status.ok());
  CHECK(harness.call(&Stub::ListSessions, v1::ListSessionsRequest{}).response.sessions_size() == 0);
}

TEST_CASE("sessions whose list is longer than a page come in pages, each session once", "[server][service]") {
  Harness harness;
  v1::GetModelRequest get;
  get.set_name("puck");
  v1::LoadModelRequest load;
  v1::Model& model = *load.mutable_model();
  model = harness.call(&Stub::GetModel, get).response.model();
  model.set_name("wide");
  const v1::Actuator push = model.actuators(0);
  for (int i = 0; i < 3000; ++i) {
    v1::Actuator& actuator = *model.add_actuators();
    actuator = push;
    actuator.set_name("push_" + std::string(54, 'x') + std::to_string(i));
  }
  const auto loaded = harness.call(&Stub::LoadModel, load);
  INFO(loaded.status.error_message());
  REQUIRE(loaded.status.ok());
  constexpr int kCount = 12;  // of 0.4 MB each: in one answer more than gRPC accepts; a page has at most 1 MiB
  v1::CreateSessionRequest create;
  create.set_model_name("wide");
  create.set_clock(v1::CLOCK_MODE_LOCKSTEP);
  for (int i = 0; i < kCount; ++i) {
    create.set_name("wide_" + std::to_string(10 + i));  // in the order of names
    REQUIRE(harness.call(&Stub::CreateSession, create).status.ok());
  }
  std::vector<std::string> names;
  v1::ListSessionsRequest list;
  int pages = 0;
  std::size_t bytes = 0;
  do {
    const auto page = harness.call(&Stub::ListSessions, list);
    REQUIRE(page.status.ok());
    for (const v1::Session& session : page.response.sessions()) names.push_back(session.name());
    CHECK(page.response.ByteSizeLong() <
          (std::size_t{1} << 20) + 4096);  // a quarter of what gRPC accepts, and the frame
    bytes += page.response.ByteSizeLong();
    list.set_page_token(page.response.next_page_token());
    ++pages;
  } while (!list.page_token().empty());
  CHECK(pages == 6);
  CHECK(bytes > std::size_t{4} << 20);
  REQUIRE(names.size() == kCount);
  for (int i = 0; i < kCount; ++i) CHECK(names[static_cast<std::size_t>(i)] == "wide_" + std::to_string(10 + i));
}

TEST_CASE("a repeated request with its id takes effect once", "[server][service]") {
  Harness harness;
  v1::CreateSessionRequest create;
  create.set_request_id("c1");
  create.set_name("rig");
  create.set_model_name("puck");
  create.set_clock(v1::CLOCK_MODE_LOCKSTEP);
  const auto first = harness.call(&Stub::CreateSession, create), second = harness.call(&Stub::CreateSession, create);
  REQUIRE(first.status.ok());
  REQUIRE(second.status.ok());
  CHECK(first.response.SerializeAsString() == second.response.SerializeAsString());
  CHECK(harness.sessions().size() == 1);

  v1::StepSessionRequest step;
  step.set_session("rig");
  step.set_request_id("s1");
  step.set_ticks(5);
  CHECK(harness.call(&Stub::StepSession, step).response.tick() == 5);
  CHECK(harness.call(&Stub::StepSession, step).response.tick() == 5);
  CHECK(harness.get("rig").tick() == 5);
  step.set_request_id("s2");
  CHECK(harness.call(&Stub::StepSession, step).response.tick() == 10);

  // The same id for something else is a mistake of the caller.
  step.set_ticks(6);
  CHECK(harness.call(&Stub::StepSession, step).detail.reason() == "REQUEST_INVALID");
  CHECK(harness.get("rig").tick() == 10);
}

TEST_CASE("concurrent repetitions of a step run it once and all get its answer", "[server][service]") {
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);
  v1::StepSessionRequest step;
  step.set_session("rig");
  step.set_request_id("s");
  step.set_ticks(20'000);
  std::vector<std::int64_t> ticks(6);
  std::vector<std::thread> threads;
  for (std::int64_t& tick : ticks)
    threads.emplace_back([&] { tick = harness.call(&Stub::StepSession, step).response.tick(); });
  for (std::thread& thread : threads) thread.join();
  CHECK(ticks == std::vector<std::int64_t>(6, 20'000));
  CHECK(harness.get("rig").tick() == 20'000);
}

TEST_CASE("signals are listed, selected by globs and read", "[server][service]") {
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);
  v1::ListSignalsRequest list;
  list.set_session("rig");
  const int all = harness.call(&Stub::ListSignals, list).response.signals_size();
  list.add_patterns("body.v.*");
  CHECK(harness.call(&Stub::ListSignals, list).response.signals_size() == 3);
  v1::ListSignalsRequest of_model;
  of_model.set_model("puck");
  CHECK(harness.call(&Stub::ListSignals, of_model).response.signals_size() == all);

  v1::ReadSignalsRequest read;
  read.set_session("rig");
  read.add_patterns("body.p.e0");
  read.add_patterns("push_x");
  const auto values = harness.call(&Stub::ReadSignals, read).response;
  REQUIRE(values.frame().values_size() == 2);
  CHECK(values.frame().values(0) == 1);
  CHECK(values.layout().signals(1) == "push_x");
}

TEST_CASE("scripted inputs take effect at their tick", "[server][service]") {
  Harness harness;
  v1::CreateSessionRequest create;
  create.set_name("rig");
  create.set_model_name("puck");
  create.set_clock(v1::CLOCK_MODE_FREE_RUN);
  create.set_stop_tick(20);
  auto& input = *create.add_scripted_inputs();
  input.set_tick(15);
  input.add_values(3);
  input.add_values(4);
  REQUIRE(harness.call(&Stub::CreateSession, create).status.ok());

  v1::ReadSignalsRequest read;
  read.set_session("rig");
  read.add_patterns("push_*");
  harness.step("rig", 14);
  CHECK(harness.call(&Stub::ReadSignals, read).response.frame().values(0) == 0);
  harness.step("rig", 1);
  CHECK(harness.call(&Stub::ReadSignals, read).response.frame().values(1) == 4);

  // The stop tick ends a step too.
  const v1::Session finished = harness.step("rig", 100);
  CHECK(finished.state() == v1::SESSION_STATE_FINISHED);
  CHECK(finished.tick() == 20);
}

TEST_CASE("a session reports its overrun rule, and streams are told when it stops the run", "[server][service]") {
  Limits limits;
  limits.host.period_ns = 10'000;
  Harness harness(limits);
  v1::CreateSessionRequest request;
  request.set_name("rig");
  request.set_model_name("chain:n=512");
  request.set_period_ns(10'000);
  request.mutable_overrun()->set_policy(v1::OVERRUN_POLICY_CATCH_UP);
  request.mutable_overrun()->set_burst(3);
  request.mutable_overrun()->set_grace_ticks(5);
  request.mutable_overrun()->set_max_total(50);
  const auto created = harness.call(&Stub::CreateSession, request);
  REQUIRE(created.status.ok());
  CHECK(created.response.overrun().SerializeAsString() == request.overrun().SerializeAsString());

  v1::ObserveRequest observe;
  observe.set_session("rig");
  observe.add_signals("energy.total");
  auto watcher = harness.observe(observe);
  harness.start("rig");
  std::string reason;
  while (reason != "SESSION_STOPPED") {
    const auto response = watcher->read();
    REQUIRE(response);
    if (response->has_notice()) reason = response->notice().reason();
  }
  const v1::Session stopped = harness.get("rig");
  CHECK(stopped.state() == v1::SESSION_STATE_STOPPED);
  CHECK_THAT(stopped.fault(), Catch::Contains("catch-up 3"));
  CHECK_FALSE(stopped.state_hash().empty());

  v1::GetTimingReportRequest timing;
  timing.set_session("rig");
  const v1::TimingReport report = harness.call(&Stub::GetTimingReport, timing).response;
  CHECK(report.overrun_policy() == "catch-up 3");
  CHECK(report.overdue_deadlines() > 50);
  CHECK(report.ticks() == stopped.tick());
}

TEST_CASE("timing counts the ticks and can be reset", "[server][service]") {
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);
  harness.step("rig", 30);
  v1::GetTimingReportRequest request;
  request.set_session("rig");
  request.set_reset(true);
  const v1::TimingReport report = harness.call(&Stub::GetTimingReport, request).response;
  CHECK(report.ticks() == 30);
  CHECK(report.held_ticks() == 30);
  CHECK(report.clock() == "lockstep");
  REQUIRE(report.phases_size() == 6);
  CHECK(report.phases(2).phase() == "solve");
  CHECK(report.phases(2).count() == 30);
  CHECK(std::accumulate(report.phases(2).octaves().begin(), report.phases(2).octaves().end(), std::uint64_t{0}) == 30);
  CHECK(report.phases(5).phase() == "turnaround");
  CHECK(report.phases(5).count() == 0);
  CHECK_FALSE(report.has_host_wake());
  harness.step("rig", 4);
  CHECK(harness.call(&Stub::GetTimingReport, request).response.ticks() == 4);
}

TEST_CASE("timing reports the fate of inputs and the frames of each reader", "[server][service]") {
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_REAL_TIME);
  v1::GetTimingReportRequest request;
  request.set_session("rig");
  auto tick = harness.tick(openPuck("rig"));
  tick->send(1, {0, 0});
  tick->send(5, {0, 0});  // 2 to 4 never came
  tick->send(5, {0, 0});
  CHECK(tick->notice().reason() == "INPUT_REFUSED");
  harness.start("rig");
  harness.awaitTick("rig", 50);  // the window of 8 frames is long exhausted
  harness.pause("rig");

  const v1::TimingReport report = harness.call(&Stub::GetTimingReport, request).response;
  CHECK(report.inputs_lost() == 3);
  CHECK(report.inputs_duplicate() == 1);
  CHECK(report.inputs_refused() == 1);
  CHECK(report.inputs_used() == 1);
  CHECK(report.phases(5).count() == 1);
  CHECK(report.has_host_wake());
  REQUIRE(report.readers_size() == 2);
  CHECK(report.readers(0).id() == 1);
  CHECK(report.readers(0).stream() == "tick");
  CHECK(report.readers(0).sent() == 8);
  CHECK(report.readers(1).id() == 0);
  CHECK(report.readers(1).sent() == 0);

  // A reader that has gone is among the closed ones.
  tick->vanish();
  harness.awaitNoStreams("rig");
  v1::TimingReport later = harness.call(&Stub::GetTimingReport, request).response;
  while (later.readers_size() > 1) later = harness.call(&Stub::GetTimingReport, request).response;
  CHECK(later.readers(0).id() == 0);
  CHECK(later.readers(0).sent() == 8);
}

TEST_CASE("the server reports its version", "[server][service]") {
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);
  const v1::ServerInfo info = harness.call(&Stub::GetServerInfo, v1::GetServerInfoRequest{}).response;
  CHECK(info.version() == buildInfo().version);
  CHECK_FALSE(info.flags().empty());
  CHECK(info.sessions() == 1);
  CHECK(info.api() == "tactus.v1");
}

TEST_CASE("a Unix socket belongs to its user, and a socket in use is left alone", "[server][service]") {
  const std::string path = "/tmp/tactus_service_test_" + std::to_string(::getpid()) + ".sock";
  Config config;
  config.endpoint = parseEndpoint("unix:" + path);
  {
    Server server(config);
    struct stat status {};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0600);
    CHECK_THROWS_WITH(Server(config), Catch::Contains("another server"));

    const auto stub =
        v1::Simulation::NewStub(grpc::CreateChannel(server.address(), grpc::InsecureChannelCredentials()));
    grpc::ClientContext context;
    v1::ServerInfo info;
    CHECK(stub->GetServerInfo(&context, {}, &info).ok());
  }
  struct stat status {};
  CHECK(::stat(path.c_str(), &status) != 0);
}

TEST_CASE("a port in use is an error", "[server][service]") {
  Harness harness;
  Config config;
  config.endpoint = parseEndpoint(harness.server().address());
  CHECK_THROWS_WITH(Server(config), Catch::Contains("another program listens there"));
}
