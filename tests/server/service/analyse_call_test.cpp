// The analysis of a session over the wire has the bits of the library in the same state, and its session does not
// notice.
// Covers: server/service/analyse_call.cpp, server/service/low_priority.h, server/stream/stream_slots.h
#include "rt/model/model.h"
#include "rt/offline/analysis/frequency_response.h"
#include "rt/offline/analysis/modes.h"
#include "rt/signals/state_outputs.h"
#include "server/models/built_in_models.h"
#include "server/service/low_priority.h"
#include "tests/server/service/harness.h"

#include <catch2/catch.hpp>

#include <atomic>
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
    do { analyses += harness.call(&Stub::Analyse, everything("watched")).status.ok(); } while (!ended);
  });
  harness.start("watched");
  harness.awaitTick("watched", 20'000);
  harness.awaitTick("alone", 20'000);
  ended = true;
  watcher.join();
  CHECK(analyses > 0);
  harness.pause("alone");
  harness.pause("watched");
  CHECK(save(harness, "watched").state_hash() == save(harness, "alone").state_hash());
}

TEST_CASE("work at low priority has the niceness, its caller keeps its own, and its error comes through",
          "[server][service]") {
  const auto niceness = [] { return ::getpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid))); };
  const int own = niceness();
  int there = own;
  runAtLowPriority([&] { there = niceness(); });
  CHECK(there == kLowPriorityNice);
  CHECK(niceness() == own);
  CHECK_THROWS_WITH(runAtLowPriority([] { throw std::runtime_error("no result"); }), "no result");
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
  limits.analyses = 1;
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
  limits.analyses = 0;
  limits.analysed_bodies = 2;
  Harness harness(limits);
  harness.create("bar", v1::CLOCK_MODE_LOCKSTEP, "motor_four_bar");
  const auto busy = harness.call(&Stub::Analyse, everything("bar"));
  CHECK(busy.status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED);
  CHECK(busy.status.error_message() == "there are 0 analyses under way already");
  CHECK(busy.detail.hint() == "try again when one has ended");
}
