// The analysis of a session over the wire has the bits of the library in the same state, and its session does not
// notice.
// Covers: server/service/analyse_call.cpp, server/service/low_priority.h, server/stream/stream_slots.h
#include "rt/model/model.h"
#include "rt/offline/analysis/frequency_response.h"
#include "rt/offline/analysis/modes.h"
#include "rt/signals/state_outputs.h"
#include "server/models/built_in_models.h"
#include "server/service/low_priority.h"
#include "server/wire/state_search.h"
#include "tests/server/service/harness.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <numbers>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::server::tests;
using Stub = v1::Simulation::Stub;
using Numbers = google::protobuf::RepeatedField<double>;

namespace {

const std::vector<std::string> kOutputs = {"crank_angle", "output.force.*", "energy.total"};

v1::AnalyseRequest everything(const std::string& session) {
  v1::AnalyseRequest request;
  request.set_session(session);
  request.mutable_outputs()->Assign(kOutputs.begin(), kOutputs.end());
  request.set_modes(true);
  request.set_shapes(true);
  for (const double f : {0.5, 2.0, 30.0}) request.add_frequencies(f);
  return request;
}

/// Number of entries that differ, row by row; the size counts as one.
template <class Matrix>
int differences(const Matrix& matrix, const Numbers& numbers) {
  if (matrix.size() != numbers.size()) return 1;
  int count = 0, k = 0;
  for (Eigen::Index r = 0; r < matrix.rows(); ++r)
    for (Eigen::Index c = 0; c < matrix.cols(); ++c) count += matrix(r, c) != numbers[k++];
  return count;
}

/// Compares an answer with the library at the state of a snapshot.
void checkAnswer(const v1::AnalyseResponse& answer, const v1::SessionSnapshot& saved, const rt::Model& model,
                 std::int64_t period_ns) {
  rt::State state(model);
  REQUIRE(static_cast<std::size_t>(saved.state_size()) == state.values().size());
  state.values().assign(saved.state().begin(), saved.state().end());
  const std::vector<double> input(saved.inputs().begin(), saved.inputs().end());
  rt::StateOutputs outputs(model, kOutputs);
  const double time = static_cast<double>(saved.tick() * period_ns) * 1e-9;
  const rt::offline::LinearSystem system = rt::offline::linearSystem(model, state, input, time, outputs.function());
  CHECK(answer.tick() == saved.tick());
  CHECK(answer.state_hash() == rt::formatHash(saved.state_hash()));
  REQUIRE(system.A.size() > 0);
  CHECK(system.A.norm() > 0);
  CHECK(differences(system.A, answer.a()) == 0);
  CHECK(differences(system.B, answer.b()) == 0);
  CHECK(differences(system.C, answer.c()) == 0);
  CHECK(differences(system.D, answer.d()) == 0);
  REQUIRE(static_cast<std::size_t>(answer.states_size()) == system.states.size());
  for (int k = 0; k < answer.states_size(); ++k) {
    CHECK(answer.states(k).name() == system.states[static_cast<std::size_t>(k)].name);
    CHECK(answer.states(k).value() == system.state[k]);
    CHECK(answer.states(k).rate() == system.rate[k]);
  }
  CHECK(answer.coordinates() * 2 == system.states.size());
  CHECK(answer.redundant_rows() == static_cast<std::uint32_t>(system.redundant_rows));
  CHECK(answer.inputs(0).value() == input[0]);
  REQUIRE(static_cast<std::size_t>(answer.outputs_size()) == outputs.size());
  CHECK(answer.outputs(0).value() == system.output[0]);

  const std::vector<rt::offline::Mode> modes = rt::offline::modesOf(system);
  REQUIRE(static_cast<std::size_t>(answer.modes_size()) == modes.size());
  for (int k = 0; k < answer.modes_size(); ++k) {
    const rt::offline::Mode& mode = modes[static_cast<std::size_t>(k)];
    CHECK(answer.modes(k).kind() == toString(mode));
    CHECK(answer.modes(k).real() == mode.eigenvalue.real());
    CHECK(answer.modes(k).imaginary() == mode.eigenvalue.imag());
    CHECK(answer.modes(k).omega() == mode.omega);
    CHECK(answer.modes(k).damping() == mode.damping);
    CHECK(differences(mode.shape.real(), answer.modes(k).shape_real()) == 0);
    CHECK(differences(mode.shape.imag(), answer.modes(k).shape_imaginary()) == 0);
    CHECK(differences(mode.state.real(), answer.modes(k).state_real()) == 0);
    CHECK(differences(mode.state.imag(), answer.modes(k).state_imaginary()) == 0);
  }
  std::vector<double> omega;
  for (const double f : {0.5, 2.0, 30.0}) omega.push_back(2 * std::numbers::pi * f);
  const std::vector<Eigen::MatrixXcd> G = rt::offline::frequencyResponse(system, omega);
  REQUIRE(answer.responses_size() == 3);
  for (int k = 0; k < 3; ++k) {
    CHECK(differences(G[static_cast<std::size_t>(k)].real(), answer.responses(k).real()) == 0);
    CHECK(differences(G[static_cast<std::size_t>(k)].imag(), answer.responses(k).imaginary()) == 0);
  }
}

/// A search for the pose at rest, with the motor off.
v1::AnalyseRequest rest(const std::string& session) {
  v1::AnalyseRequest request;
  request.set_session(session);
  request.mutable_equilibrium();
  request.add_input_values()->set_name("motor");
  return request;
}

/// A search that takes minutes: each load step is an iteration with dense matrices at least.
v1::AnalyseRequest longSearch(const std::string& session) {
  v1::AnalyseRequest request;
  request.set_session(session);
  request.mutable_equilibrium()->set_load_steps(kMaxLoadSteps);
  return request;
}

v1::SessionSnapshot save(Harness& harness, const std::string& session) {
  v1::SaveSnapshotRequest request;
  request.set_session(session);
  return harness.call(&Stub::SaveSnapshot, request).response;
}

/// A session of motor_four_bar with inputs by tick.
void createScripted(Harness& harness, const std::string& name, v1::ClockMode clock, std::int64_t stop_tick = 0) {
  v1::CreateSessionRequest create;
  create.set_name(name);
  create.set_model_name("motor_four_bar");
  create.set_clock(clock);
  create.set_stop_tick(stop_tick);
  for (int k = 0; k < 50; ++k) {
    v1::ScriptedInput& input = *create.add_scripted_inputs();
    input.set_tick(1 + 20 * k);
    input.add_values(k % 3 - 1);
  }
  REQUIRE(harness.call(&Stub::CreateSession, create).status.ok());
}

}  // namespace

TEST_CASE("the analysis of a session that waits or is paused has the bits of the library in its state",
          "[server][service]") {
  Harness harness;
  const rt::Model model = rt::buildModel(openBuiltInModel("motor_four_bar").spec);
  createScripted(harness, "bar", v1::CLOCK_MODE_LOCKSTEP);
  for (const std::int64_t ticks : {0, 123}) {
    if (ticks > 0) harness.step("bar", ticks);
    const std::string hash = harness.get("bar").state_hash();
    const auto answer = harness.call(&Stub::Analyse, everything("bar"));
    INFO(answer.status.error_message());
    REQUIRE(answer.status.ok());
    checkAnswer(answer.response, save(harness, "bar"), model, harness.get("bar").period_ns());
    CHECK(answer.response.tick() == ticks);
    CHECK(harness.get("bar").state_hash() == hash);
  }
}

TEST_CASE("the analysis of a session that runs is that of one of its ticks", "[server][service]") {
  Harness harness;
  createScripted(harness, "running", v1::CLOCK_MODE_REAL_TIME);
  createScripted(harness, "stepped", v1::CLOCK_MODE_LOCKSTEP);
  harness.start("running");
  std::int64_t tick = 0;
  for (int k = 0; k < 5; ++k) {
    harness.awaitTick("running", tick + 1);
    const auto running = harness.call(&Stub::Analyse, everything("running"));
    REQUIRE(running.status.ok());
    REQUIRE(running.response.tick() > tick);
    harness.step("stepped", running.response.tick() - tick);
    tick = running.response.tick();
    const auto stepped = harness.call(&Stub::Analyse, everything("stepped"));
    CHECK(running.response.state_hash() == stepped.response.state_hash());
    CHECK(running.response.SerializeAsString() == stepped.response.SerializeAsString());
  }
}

TEST_CASE("analyses beside a running session change no bit of it", "[server][service]") {
  Harness harness;
  createScripted(harness, "alone", v1::CLOCK_MODE_FREE_RUN, 20'000);
  createScripted(harness, "watched", v1::CLOCK_MODE_FREE_RUN, 20'000);
  harness.start("alone");
  std::atomic<bool> ended = false;
  int analyses = 0;
  std::thread watcher([&] {
    do {
      analyses += harness.call(&Stub::Analyse, everything("watched")).status.ok();
      analyses += harness.call(&Stub::Analyse, rest("watched")).status.ok();
    } while (!ended);
  });
  harness.start("watched");
  harness.awaitTick("watched", 20'000);
  harness.awaitTick("alone", 20'000);
  ended = true;
  watcher.join();
  CHECK(analyses > 1);
  harness.pause("alone");
  harness.pause("watched");
  CHECK(save(harness, "watched").state_hash() == save(harness, "alone").state_hash());
}

TEST_CASE("a search leaves its session where it is, and its snapshot takes a session to the state found",
          "[server][service]") {
  Harness harness;
  const rt::Model model = rt::buildModel(openBuiltInModel("motor_four_bar").spec);
  harness.create("bar", v1::CLOCK_MODE_LOCKSTEP, "motor_four_bar");
  harness.step("bar", 123);
  const v1::SessionSnapshot before = save(harness, "bar");
  const auto answer = harness.call(&Stub::Analyse, rest("bar"));
  INFO(answer.status.error_message());
  REQUIRE(answer.status.ok());
  CHECK(answer.response.tick() == 123);
  CHECK(answer.response.state_hash() == rt::formatHash(before.state_hash()));
  CHECK(answer.response.states().empty());
  CHECK(save(harness, "bar").SerializeAsString() == before.SerializeAsString());

  rt::Snapshot tick(model);
  tick.state.assign(before.state().begin(), before.state().end());
  tick.inputs.assign(before.inputs().begin(), before.inputs().end());
  v1::FoundState expected;
  const double time = static_cast<double>(123 * harness.get("bar").period_ns()) * 1e-9;
  const rt::Snapshot moved = searchState(tick, model, time, rest("bar"), false, expected);
  const v1::SessionSnapshot& found = answer.response.found().snapshot();
  CHECK(std::vector<double>(found.state().begin(), found.state().end()) == moved.state);
  CHECK(moved.state != tick.state);
  CHECK(answer.response.found().residual() == expected.residual());

  // Into the session itself, and into another one at tick 0.
  harness.create("other", v1::CLOCK_MODE_LOCKSTEP, "motor_four_bar");
  for (const char* const session : {"bar", "other"}) {
    v1::RestoreSnapshotRequest restore;
    restore.set_session(session);
    *restore.mutable_snapshot() = found;
    const auto restored = harness.call(&Stub::RestoreSnapshot, restore);
    INFO(restored.status.error_message());
    REQUIRE(restored.status.ok());
    CHECK(restored.response.tick() == 123);
    harness.step(session, 1000);
    v1::ReadSignalsRequest read;
    read.set_session(session);
    read.add_patterns("crank_angle");
    const auto angle = harness.call(&Stub::ReadSignals, read).response;
    // It stays: a second at 1e-10 of the weight that is not balanced turns the crank by less.
    CHECK(angle.frame().values(0) == Approx(expected.signals(0).value()).epsilon(0).margin(1e-7));
  }
}

TEST_CASE("a search gives the linear system about the state that it has found", "[server][service]") {
  Harness harness;
  createScripted(harness, "bar", v1::CLOCK_MODE_LOCKSTEP);
  harness.step("bar", 77);
  v1::AnalyseRequest request = everything("bar");
  request.MergeFrom(rest("bar"));
  request.set_linearize(true);
  const auto answer = harness.call(&Stub::Analyse, request);
  INFO(answer.status.error_message());
  REQUIRE(answer.status.ok());
  // A mechanism at rest oscillates; where the session is, it moves and has a growing mode.
  CHECK(answer.response.largest_rate() < 1e-3);
  CHECK(answer.response.modes(0).kind() == "oscillation");
  v1::RestoreSnapshotRequest restore;
  restore.set_session("bar");
  *restore.mutable_snapshot() = answer.response.found().snapshot();
  REQUIRE(harness.call(&Stub::RestoreSnapshot, restore).status.ok());
  const auto there = harness.call(&Stub::Analyse, everything("bar")).response;
  CHECK(there.state_hash() != answer.response.state_hash());
  CHECK(differences(Eigen::Map<const Eigen::RowVectorXd>(there.a().data(), there.a_size()), answer.response.a()) == 0);
  CHECK(differences(Eigen::Map<const Eigen::RowVectorXd>(there.c().data(), there.c_size()), answer.response.c()) == 0);
}

TEST_CASE("a search that takes too long, or whose caller has gone, ends", "[server][service]") {
  Limits limits;
  limits.analyses.total = 1;
  limits.analysis_time = std::chrono::milliseconds(200);
  Harness harness(limits);
  harness.create("chain", v1::CLOCK_MODE_LOCKSTEP, "chain:n=96");
  const auto too_long = harness.call(&Stub::Analyse, longSearch("chain"));
  CHECK(too_long.status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED);
  CHECK(too_long.detail.reason() == "LIMIT_EXCEEDED");
  CHECK_THAT(too_long.status.error_message(), Catch::Contains("of the processor"));
  CHECK_FALSE(too_long.detail.hint().empty());

  limits.analysis_time = std::chrono::minutes(10);
  Harness patient(limits);
  patient.create("chain", v1::CLOCK_MODE_LOCKSTEP, "chain:n=96");
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(300));
  v1::AnalyseResponse unused;
  CHECK(patient.stub()->Analyse(&context, longSearch("chain"), &unused).error_code() ==
        grpc::StatusCode::DEADLINE_EXCEEDED);
  // The only place for an analysis is free again before the search would have ended.
  patient.create("bar", v1::CLOCK_MODE_LOCKSTEP, "motor_four_bar");
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  bool served = false;
  while (!served && std::chrono::steady_clock::now() < end) {
    served = patient.call(&Stub::Analyse, rest("bar")).status.ok();
    if (!served) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  CHECK(served);
}

TEST_CASE("work at low priority has the niceness, its caller keeps its own, and its error comes through",
          "[server][service]") {
  const auto niceness = [] { return ::getpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid))); };
  const int own = niceness();
  int there = own;
  const auto idle = [](std::chrono::nanoseconds) {};
  runAtLowPriority([&] { there = niceness(); }, idle);
  CHECK(there == kLowPriorityNice);
  CHECK(niceness() == own);
  CHECK_THROWS_WITH(runAtLowPriority([] { throw std::runtime_error("no result"); }, idle), "no result");
}

TEST_CASE("the caller of work at low priority sees the time that it takes of the processor", "[server][service]") {
  std::atomic<bool> enough = false;
  std::chrono::nanoseconds last{0};
  runAtLowPriority(
      [&] {
        while (!enough) {}
      },
      [&](std::chrono::nanoseconds used) {
        CHECK(used >= last);
        last = used;
        enough = used > std::chrono::milliseconds(50);
      });
  CHECK(last > std::chrono::milliseconds(50));
  // Sleep is no time of the processor.
  std::chrono::nanoseconds asleep{0};
  runAtLowPriority([] { std::this_thread::sleep_for(std::chrono::milliseconds(100)); },
                   [&](std::chrono::nanoseconds used) { asleep = used; });
  CHECK(asleep < std::chrono::milliseconds(50));
}

TEST_CASE("an analysis has the parameters of the next tick", "[server][service]") {
  Harness harness;
  harness.create("bar", v1::CLOCK_MODE_LOCKSTEP, "motor_four_bar");
  const auto analysed = [&](const std::string& session) {
    return harness.call(&Stub::Analyse, everything(session)).response;
  };
  const std::string before = analysed("bar").SerializeAsString();
  v1::SetParametersRequest set;
  set.set_session("bar");
  set.add_values()->set_name("gravity_y");
  set.mutable_values(0)->set_value(-1);
  REQUIRE(harness.call(&Stub::SetParameters, set).status.ok());
  const v1::AnalyseResponse changed = analysed("bar");
  CHECK(changed.SerializeAsString() != before);
  v1::CreateSessionRequest create;
  create.set_name("light");
  create.set_model_name("motor_four_bar");
  create.set_clock(v1::CLOCK_MODE_LOCKSTEP);
  *create.mutable_parameters() = set.values();
  REQUIRE(harness.call(&Stub::CreateSession, create).status.ok());
  const v1::AnalyseResponse expected = analysed("light");
  CHECK(differences(Eigen::Map<const Eigen::RowVectorXd>(expected.a().data(), expected.a_size()), changed.a()) == 0);
}

TEST_CASE("an analysis in a singular pose fails with the reason, and the next one is served", "[server][service]") {
  Limits limits;
  limits.analyses.total = 1;
  Harness harness(limits);
  // The parallelogram stretched on one line: one more motion is free.
  v1::LoadModelRequest load;
  load.set_json(R"({"name": "flat", "gravity": [0, -9.81, 0], "bodies": [
    {"name": "A", "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1}, "position": [0.5, 0, 0]},
    {"name": "B", "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1}, "position": [1.5, 0, 0]},
    {"name": "C", "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1}, "position": [1.5, 0, 0]}], "joints": [
    {"name": "j1", "body_1": "ground", "body_2": "A",
     "revolute": {"point_1": [0, 0, 0], "point_2": [-0.5, 0, 0], "axis_1": [0, 0, 1], "axis_2": [0, 0, 1]}},
    {"name": "j2", "body_1": "A", "body_2": "B",
     "revolute": {"point_1": [0.5, 0, 0], "point_2": [-0.5, 0, 0], "axis_1": [0, 0, 1], "axis_2": [0, 0, 1]}},
    {"name": "j3", "body_1": "B", "body_2": "C",
     "revolute": {"point_1": [0.5, 0, 0], "point_2": [0.5, 0, 0], "axis_1": [0, 0, 1], "axis_2": [0, 0, 1]}},
    {"name": "j4", "body_1": "C", "body_2": "ground",
     "revolute": {"point_1": [-0.5, 0, 0], "point_2": [1, 0, 0], "axis_1": [0, 0, 1], "axis_2": [0, 0, 1]}}]})");
  const auto loaded = harness.call(&Stub::LoadModel, load);
  INFO(loaded.status.error_message());
  REQUIRE(loaded.status.ok());
  harness.create("flat", v1::CLOCK_MODE_LOCKSTEP, "flat");
  v1::AnalyseRequest request;
  request.set_session("flat");
  const auto failed = harness.call(&Stub::Analyse, request);
  CHECK(failed.status.error_code() == grpc::StatusCode::FAILED_PRECONDITION);
  CHECK(failed.detail.reason() == "ANALYSIS_FAILED");
  CHECK(failed.detail.field() == "session");
  CHECK_THAT(failed.status.error_message(), Catch::Contains("singular"));

  harness.create("bar", v1::CLOCK_MODE_LOCKSTEP, "motor_four_bar");
  CHECK(harness.call(&Stub::Analyse, everything("bar")).status.ok());
}

TEST_CASE("analyses beyond the limit of a server are refused with what to do", "[server][service]") {
  Limits limits;
  limits.analyses.total = 0;
  limits.analysed_bodies = 2;
  Harness harness(limits);
  harness.create("bar", v1::CLOCK_MODE_LOCKSTEP, "motor_four_bar");
  const auto busy = harness.call(&Stub::Analyse, everything("bar"));
  CHECK(busy.status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED);
  CHECK(busy.status.error_message() == "there are 0 analyses under way already");
  CHECK(busy.detail.hint() == "try again when one has ended");
}
