// Requests that are refused: status, reason, field and hint.
// Covers: server/service/status_map.cpp, server/service/finding.cpp, server/wire/error_detail.cpp
// Covers: server/service/reflection_limit.cpp
#include "rt/model/model.h"
#include "rt/utf8.h"
#include "server/service/status_map.h"
#include "tests/server/service/harness.h"

#include <catch2/catch.hpp>

#include <grpcpp/completion_queue.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>

#include <chrono>
#include <ctime>
#include <filesystem>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <tuple>
#include <vector>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::server::tests;
using Stub = v1::Simulation::Stub;
using grpc::StatusCode;

namespace {

template <class Response>
void checkRefused(const Answer<Response>& answer, StatusCode code, const std::string& reason,
                  const std::string& field) {
  CHECK(answer.status.error_code() == code);
  CHECK_FALSE(answer.status.error_message().empty());
  CHECK(answer.detail.reason() == reason);
  CHECK(answer.detail.field() == field);
}

}  // namespace

TEST_CASE("a call for an unknown session is refused with the nearest name", "[server][service]") {
  Harness harness;
  harness.create("four_bar_rig", v1::CLOCK_MODE_LOCKSTEP);
  const std::string name = "for_bar_rig";
  v1::GetSessionRequest get;
  get.set_session(name);
  const auto answer = harness.call(&Stub::GetSession, get);
  checkRefused(answer, StatusCode::NOT_FOUND, "SESSION_UNKNOWN", "session");
  CHECK_THAT(answer.detail.hint(), Catch::Contains("four_bar_rig"));

  v1::StepSessionRequest step;
  step.set_session(name);
  step.set_ticks(1);
  checkRefused(harness.call(&Stub::StepSession, step), StatusCode::NOT_FOUND, "SESSION_UNKNOWN", "session");
  v1::DeleteSessionRequest remove;
  remove.set_session(name);
  checkRefused(harness.call(&Stub::DeleteSession, remove), StatusCode::NOT_FOUND, "SESSION_UNKNOWN", "session");
  v1::GetTimingReportRequest timing;
  timing.set_session(name);
  checkRefused(harness.call(&Stub::GetTimingReport, timing), StatusCode::NOT_FOUND, "SESSION_UNKNOWN", "session");

  auto tick = harness.tick(openPuck(name));
  CHECK_FALSE(tick->opened());
  checkRefused(tick->finish(), StatusCode::NOT_FOUND, "SESSION_UNKNOWN", "session");
  auto observe = harness.observe(observePuck(name));
  CHECK_FALSE(observe->opened());
  checkRefused(observe->finish(), StatusCode::NOT_FOUND, "SESSION_UNKNOWN", "session");
}

TEST_CASE("unknown signals are refused with the nearest name", "[server][service]") {
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);

  v1::TickOpen outputs = openPuck("rig");
  outputs.add_outputs("body.s.x");
  auto tick = harness.tick(outputs);
  CHECK_FALSE(tick->opened());
  const auto refused = tick->finish();
  checkRefused(refused, StatusCode::NOT_FOUND, "SIGNAL_UNKNOWN", "outputs");
  CHECK(refused.detail.hint() == "body.r.x");

  v1::TickOpen inputs = openPuck("rig");
  inputs.set_inputs(1, "push_z");
  checkRefused(harness.tick(inputs)->finish(), StatusCode::NOT_FOUND, "SIGNAL_UNKNOWN", "inputs[1]");

  v1::ObserveRequest observe = observePuck("rig");
  observe.add_signals("nothing.*");
  checkRefused(harness.observe(observe)->finish(), StatusCode::NOT_FOUND, "SIGNAL_UNKNOWN", "signals");

  v1::ReadSignalsRequest read;
  read.set_session("rig");
  read.add_patterns("energy.total_");
  checkRefused(harness.call(&Stub::ReadSignals, read), StatusCode::NOT_FOUND, "SIGNAL_UNKNOWN", "patterns");

  // A refused opening holds nothing: the inputs are free.
  CHECK(harness.tick(openPuck("rig"))->opened());
}

TEST_CASE("a layout other than the expected one is refused", "[server][service]") {
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);
  v1::TickOpened agreed;
  {
    auto tick = harness.tick(openPuck("rig"));
    agreed = tick->opening();
    tick->closeInputs();
    CHECK(tick->finish().status.ok());
  }

  v1::TickOpen open = openPuck("rig");
  open.set_expected_input_layout_hash(agreed.inputs().hash());
  open.set_expected_output_layout_hash(agreed.outputs().hash());
  {
    auto tick = harness.tick(open);
    CHECK(tick->opened());
    tick->closeInputs();
    CHECK(tick->finish().status.ok());
  }

  v1::TickOpen wrong_output = open;
  wrong_output.set_expected_output_layout_hash(agreed.outputs().hash() + 1);
  checkRefused(harness.tick(wrong_output)->finish(), StatusCode::FAILED_PRECONDITION, "LAYOUT_MISMATCH",
               "expected_output_layout_hash");
  v1::TickOpen wrong_input = open;
  wrong_input.mutable_inputs()->SwapElements(0, 1);
  checkRefused(harness.tick(wrong_input)->finish(), StatusCode::FAILED_PRECONDITION, "LAYOUT_MISMATCH",
               "expected_input_layout_hash");
  v1::ObserveRequest observe = observePuck("rig");
  observe.set_expected_layout_hash(agreed.outputs().hash() + 1);
  checkRefused(harness.observe(observe)->finish(), StatusCode::FAILED_PRECONDITION, "LAYOUT_MISMATCH",
               "expected_layout_hash");
}

TEST_CASE("inputs that are not finite, out of range or of the wrong count are refused, and the stream continues",
          "[server][service]") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);
  auto tick = harness.tick(openPuck("rig"));
  REQUIRE(tick->opened());
  tick->send(1, {1, 2});
  CHECK(tick->frame().tick() == 1);
  const std::string hash = harness.get("rig").state_hash();

  const std::vector<std::tuple<std::vector<double>, std::string, std::string>> bad = {
      {{nan, 0}, "NOT_FINITE", "values[0]"},           {{0, inf}, "NOT_FINITE", "values[1]"},
      {{0, -inf}, "NOT_FINITE", "values[1]"},          {{11, 0}, "VALUE_OUT_OF_RANGE", "values[0]"},
      {{1e308, 0}, "VALUE_OUT_OF_RANGE", "values[0]"}, {{1}, "REQUEST_INVALID", "values"},
      {{1, 2, 3}, "REQUEST_INVALID", "values"}};
  for (const auto& [values, reason, field] : bad) {
    tick->send(2, values);
    const v1::TickNotice notice = tick->notice();
    CHECK(notice.reason() == "INPUT_REFUSED");
    CHECK(notice.input_sequence() == 2);
    CHECK(notice.tick() == 1);
    CHECK(notice.detail().reason() == reason);
    CHECK(notice.detail().field() == field);
  }

  // No tick, no change of State; the next good input ticks.
  CHECK(harness.get("rig").tick() == 1);
  CHECK(harness.get("rig").state_hash() == hash);
  tick->send(2, {0, 0});
  CHECK(tick->frame().tick() == 2);

  v1::GetTimingReportRequest timing;
  timing.set_session("rig");
  CHECK(harness.call(&Stub::GetTimingReport, timing).response.inputs_refused() == bad.size());
}

TEST_CASE("a sequence that does not rise is refused", "[server][service]") {
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_LOCKSTEP);
  auto tick = harness.tick(openPuck("rig"));
  tick->send(5, {0, 0});
  CHECK(tick->frame().input_sequence() == 5);
  for (const std::uint64_t sequence : {0u, 4u, 5u}) {
    tick->send(sequence, {0, 0});
    CHECK(tick->notice().detail().field() == "sequence");
  }
  CHECK(harness.get("rig").tick() == 1);
}

TEST_CASE("a stream whose first message is not an opening is refused", "[server][service]") {
  Harness harness;
  const auto stub =
      v1::Simulation::NewStub(grpc::CreateChannel(harness.server().address(), grpc::InsecureChannelCredentials()));
  const bool has_input = GENERATE(true, false);
  CAPTURE(has_input);
  grpc::ClientContext context;
  auto stream = stub->Tick(&context);
  if (has_input) {
    v1::TickRequest request;
    request.mutable_input()->set_sequence(1);
    stream->Write(request);
  } else {
    stream->WritesDone();
  }
  v1::TickResponse response;
  CHECK_FALSE(stream->Read(&response));
  CHECK(stream->Finish().error_code() == StatusCode::INVALID_ARGUMENT);
  CHECK(detailOf(context).field() == "open");
}

TEST_CASE("a session has one stream with inputs and any number of observers", "[server][service]") {
  Harness harness;
  harness.create("rig", v1::CLOCK_MODE_REAL_TIME);
  auto driver = harness.tick(openPuck("rig"));
  REQUIRE(driver->opened());
  checkRefused(harness.tick(openPuck("rig"))->finish(), StatusCode::FAILED_PRECONDITION, "LEASE_HELD", "inputs");

  v1::TickOpen watcher = openPuck("rig");
  watcher.clear_inputs();
  CHECK(harness.tick(watcher)->opened());
  CHECK(harness.observe(observePuck("rig"))->opened());

  // In lockstep a stream drives, inputs or none.
  harness.create("step", v1::CLOCK_MODE_LOCKSTEP);
  v1::TickOpen stepper = openPuck("step");
  stepper.clear_inputs();
  auto first = harness.tick(stepper);
  CHECK(first->opened());
  checkRefused(harness.tick(stepper)->finish(), StatusCode::FAILED_PRECONDITION, "LEASE_HELD", "inputs");
}

TEST_CASE("invalid sessions are refused with the field", "[server][service]") {
  Harness harness;
  v1::CreateSessionRequest good;
  good.set_model_name("puck");
  const auto refused = [&](auto&& change) {
    v1::CreateSessionRequest request = good;
    change(request);
    return harness.call(&Stub::CreateSession, request);
  };
  checkRefused(refused([](auto& r) { r.set_model_name("pucc"); }), StatusCode::NOT_FOUND, "MODEL_UNKNOWN",
               "model_name");
  checkRefused(refused([](auto& r) { r.set_model_name("chain:m=3"); }), StatusCode::INVALID_ARGUMENT, "REQUEST_INVALID",
               "model_name");
  checkRefused(refused([](auto& r) { r.set_model_name("/etc/passwd"); }), StatusCode::NOT_FOUND, "MODEL_UNKNOWN",
               "model_name");
  // The name is in each message of the session.
  checkRefused(refused([](auto& r) { r.set_model_name("chain:n=" + std::string(248, '0') + '2'); }),
               StatusCode::INVALID_ARGUMENT, "REQUEST_INVALID", "model_name");
  checkRefused(refused([](auto& r) { r.clear_model_name(); }), StatusCode::INVALID_ARGUMENT, "REQUEST_INVALID",
               "source");
  checkRefused(refused([](auto& r) { r.set_name("../x"); }), StatusCode::INVALID_ARGUMENT, "REQUEST_INVALID", "name");
  checkRefused(refused([](auto& r) { r.set_clock(v1::CLOCK_MODE_SCALED); }), StatusCode::INVALID_ARGUMENT,
               "REQUEST_INVALID", "scale");
  checkRefused(refused([](auto& r) { r.set_period_ns(-1); }), StatusCode::INVALID_ARGUMENT, "REQUEST_INVALID",
               "period_ns");
  checkRefused(refused([](auto& r) { r.set_initial_condition("x"); }), StatusCode::INVALID_ARGUMENT, "REQUEST_INVALID",
               "initial_condition");
  checkRefused(refused([](auto& r) {
                 auto& input = *r.add_scripted_inputs();
                 input.set_tick(3);
                 input.add_values(0);
                 input.add_values(std::numeric_limits<double>::quiet_NaN());
               }),
               StatusCode::INVALID_ARGUMENT, "NOT_FINITE", "scripted_inputs[0].values[1]");
  CHECK(harness.sessions().size() == 0);
}

TEST_CASE("broken models come back with their findings", "[server][service]") {
  Harness harness;
  const std::string broken = R"({
    "name": "bad", "gravity": [0, 0, 0],
    "bodies": [
      {"name": "a", "mass": -1, "inertia": {"xx": 1, "yy": 1, "zz": 1}},
      {"name": "a", "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 5}, "colour": "red"}
    ]
  })";
  v1::ValidateModelRequest validate;
  validate.set_json(broken);
  const auto findings = harness.call(&Stub::ValidateModel, validate);
  REQUIRE(findings.status.ok());
  CHECK_FALSE(findings.response.valid());
  CHECK(findings.response.findings_size() >= 4);
  bool mass = false;
  for (const v1::Finding& finding : findings.response.findings())
    mass = mass || (finding.path() == "bodies[0].mass" && finding.line() == 4);
  CHECK(mass);

  v1::LoadModelRequest load;
  load.set_json(broken);
  const auto answer = harness.call(&Stub::LoadModel, load);
  checkRefused(answer, StatusCode::INVALID_ARGUMENT, "MODEL_INVALID", "model");
  CHECK(answer.detail.findings_size() >= 4);
  load.set_text("name: ");
  CHECK(harness.call(&Stub::LoadModel, load).detail.reason() == "MODEL_INVALID");
}

TEST_CASE("findings beyond the size of a trailer are cut, and the hint reports that", "[server][service]") {
  Harness harness;
  v1::LoadModelRequest load;
  v1::Model& model = *load.mutable_model();
  model.set_name("bad");
  for (int i = 0; i < 300; ++i) model.add_bodies()->set_name("body_" + std::to_string(i));
  const auto answer = harness.call(&Stub::LoadModel, load);
  CHECK(answer.detail.reason() == "MODEL_INVALID");
  CHECK(answer.detail.findings_size() > 0);
  CHECK_THAT(answer.detail.hint(), Catch::Contains("more"));
}

TEST_CASE("an initial state that cannot be assembled within its limit is a finding", "[server][service]") {
  Harness harness;
  const std::string apart = R"({
    "name": "apart", "gravity": [0, 0, 0],
    "bodies": [{"name": "a", "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1}, "position": [5, 0, 0]}],
    "joints": [{"name": "j", "body_1": "ground", "body_2": "a", "spherical": {"point_1": [0, 0, 0], "point_2": [0, 0, 0]}}]
  })";
  v1::ValidateModelRequest validate;
  validate.set_json(apart);
  const auto findings = harness.call(&Stub::ValidateModel, validate);
  CHECK_FALSE(findings.response.valid());
  v1::LoadModelRequest load;
  load.set_json(apart);
  CHECK(harness.call(&Stub::LoadModel, load).detail.reason() == "MODEL_INVALID");
}

TEST_CASE("limits are refused by name", "[server][service]") {
  Limits limits;
  limits.sessions.total = 2;
  limits.streams.total = 1;
  limits.models.total = 1;  // the puck
  limits.bodies = 10;
  Harness harness(limits);
  harness.create("a", v1::CLOCK_MODE_REAL_TIME);
  harness.create("b", v1::CLOCK_MODE_REAL_TIME);
  v1::CreateSessionRequest create;
  create.set_model_name("puck");
  checkRefused(harness.call(&Stub::CreateSession, create), StatusCode::RESOURCE_EXHAUSTED, "LIMIT_EXCEEDED", "");

  auto observe = harness.observe(observePuck("a"));
  REQUIRE(observe->opened());
  checkRefused(harness.observe(observePuck("b"))->finish(), StatusCode::RESOURCE_EXHAUSTED, "LIMIT_EXCEEDED", "");
  observe->vanish();
  observe->finish();
  harness.awaitNoStreams("a");

  v1::LoadModelRequest load;
  v1::GetModelRequest get;
  get.set_name("puck");
  *load.mutable_model() = harness.call(&Stub::GetModel, get).response.model();
  load.mutable_model()->set_name("another");
  checkRefused(harness.call(&Stub::LoadModel, load), StatusCode::RESOURCE_EXHAUSTED, "LIMIT_EXCEEDED", "");

  v1::StepSessionRequest step;
  step.set_session("a");
  for (const std::int64_t ticks : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1'000'001}}) {
    step.set_ticks(ticks);
    checkRefused(harness.call(&Stub::StepSession, step), StatusCode::INVALID_ARGUMENT, "REQUEST_INVALID", "ticks");
  }

  v1::DeleteSessionRequest remove;
  remove.set_session("b");
  REQUIRE(harness.call(&Stub::DeleteSession, remove).status.ok());
  create.set_model_name("chain:n=11");
  checkRefused(harness.call(&Stub::CreateSession, create), StatusCode::RESOURCE_EXHAUSTED, "LIMIT_EXCEEDED", "model");
}

TEST_CASE("a message beyond the limit is refused, and the server keeps running", "[server][service]") {
  Harness harness;
  v1::ValidateModelRequest request;
  request.set_json(std::string(5 << 20, ' '));
  CHECK(harness.call(&Stub::ValidateModel, request).status.error_code() == StatusCode::RESOURCE_EXHAUSTED);
  CHECK(harness.call(&Stub::ListModels, v1::ListModelsRequest{}).status.ok());
}

TEST_CASE("an invalid overrun rule is refused with its field", "[server][service]") {
  Harness harness;
  using Rule = v1::OverrunRule;
  const auto refused = [&](v1::ClockMode clock, const std::function<void(Rule&)>& fill, const std::string& field) {
    v1::CreateSessionRequest request;
    request.set_model_name("puck");
    request.set_clock(clock);
    fill(*request.mutable_overrun());
    checkRefused(harness.call(&Stub::CreateSession, request), StatusCode::INVALID_ARGUMENT, "REQUEST_INVALID", field);
  };
  const auto real_time = v1::CLOCK_MODE_REAL_TIME;
  refused(
      real_time, [](Rule& r) { r.set_policy(static_cast<v1::OverrunPolicy>(77)); }, "overrun.policy");
  refused(
      real_time, [](Rule& r) { r.set_policy(v1::OVERRUN_POLICY_CATCH_UP); }, "overrun.burst");
  refused(
      real_time, [](Rule& r) { r.set_burst(2); }, "overrun.burst");
  const auto stopWithLimit = [](Rule& r) {
    r.set_policy(v1::OVERRUN_POLICY_STOP);
    r.set_max_consecutive(2);
  };
  refused(real_time, stopWithLimit, "overrun");
  for (const auto clock : {v1::CLOCK_MODE_LOCKSTEP, v1::CLOCK_MODE_FREE_RUN})
    refused(
        clock, [](Rule& r) { r.set_policy(v1::OVERRUN_POLICY_STOP); }, "overrun");
  CHECK(harness.call(&Stub::ListSessions, v1::ListSessionsRequest{}).response.sessions().empty());
}

TEST_CASE("globs that would cost much are refused, plain names are not", "[server][service]") {
  Harness harness;
  harness.create("a", v1::CLOCK_MODE_LOCKSTEP);
  v1::ReadSignalsRequest read;
  read.set_session("a");
  for (int i = 0; i < 256; ++i) read.add_patterns("*.x");
  CHECK(harness.call(&Stub::ReadSignals, read).status.ok());
  read.add_patterns("*.x");
  checkRefused(harness.call(&Stub::ReadSignals, read), StatusCode::RESOURCE_EXHAUSTED, "LIMIT_EXCEEDED", "patterns");
  read.clear_patterns();
  read.add_patterns(std::string(257, '*'));
  checkRefused(harness.call(&Stub::ReadSignals, read), StatusCode::RESOURCE_EXHAUSTED, "LIMIT_EXCEEDED", "patterns");
  read.set_patterns(0, std::string(256, '*'));
  CHECK(harness.call(&Stub::ReadSignals, read).status.ok());
  read.clear_patterns();
  for (int i = 0; i < 1000; ++i) read.add_patterns("body.r.x");
  CHECK(harness.call(&Stub::ReadSignals, read).status.ok());

  // The product of globs and signals has a limit of its own: a chain of 4096 links has about 100 000 signals.
  v1::ListSignalsRequest list;
  list.set_model("chain:n=4096");
  for (int i = 0; i < 101; ++i) list.add_patterns("no?such");
  checkRefused(harness.call(&Stub::ListSignals, list), StatusCode::RESOURCE_EXHAUSTED, "LIMIT_EXCEEDED", "patterns");

  v1::TickOpen open = openPuck("a");
  for (int i = 0; i < 300; ++i) open.add_outputs("*");
  checkRefused(harness.tick(open)->finish(), StatusCode::RESOURCE_EXHAUSTED, "LIMIT_EXCEEDED", "outputs");
}

TEST_CASE("a Tick stream that does not open ends, so that others get its slot", "[server][service]") {
  Limits limits;
  limits.streams.total = 2;
  limits.opening = std::chrono::milliseconds(100);
  Harness harness(limits);
  harness.create("a", v1::CLOCK_MODE_LOCKSTEP);
  auto opened = harness.tick(openPuck("a"));
  REQUIRE(opened->opened());
  grpc::ClientContext idle;
  const auto stream = harness.stub()->Tick(&idle);
  v1::TickResponse response;
  CHECK_FALSE(stream->Read(&response));
  CHECK(stream->Finish().error_code() == StatusCode::CANCELLED);
  opened->send(1, {1, 1});
  CHECK(opened->frame().tick() == 1);
  v1::TickOpen watching = openPuck("a");
  watching.set_takeover(true);
  watching.set_takeover_reason("the slot is free again");
  while (!harness.tick(watching)->opened()) {}  // the slot is free a moment after the end of the stream
}

TEST_CASE("texts of a model have at most 4096 bytes", "[server][service]") {
  Harness harness;
  v1::LoadModelRequest load;
  v1::GetModelRequest get;
  get.set_name("puck");
  *load.mutable_model() = harness.call(&Stub::GetModel, get).response.model();
  load.mutable_model()->set_name("wordy");
  load.mutable_model()->set_description(std::string(4096, 'x'));
  CHECK(harness.call(&Stub::LoadModel, load).status.ok());
  load.mutable_model()->set_description(std::string(4097, 'x'));
  checkRefused(harness.call(&Stub::LoadModel, load), StatusCode::INVALID_ARGUMENT, "MODEL_INVALID", "model");
  load.mutable_model()->clear_description();
  load.mutable_model()->mutable_bodies(0)->set_description(std::string(4097, 'x'));
  checkRefused(harness.call(&Stub::LoadModel, load), StatusCode::INVALID_ARGUMENT, "MODEL_INVALID", "model");
}

TEST_CASE("a failure has an answer of a few KiB, whatever the request was", "[server][service]") {
  const std::string huge(4 << 20, 'x');
  const auto answer = toAnswer(std::make_exception_ptr(RequestError(Reason::kRequestInvalid, huge, huge, huge)));
  CHECK(answer.status.error_message().size() < 2048);
  CHECK(answer.detail.ByteSizeLong() < 4096);
}

TEST_CASE("a refused request that is repeated gets the answer of the first one", "[server][service]") {
  Harness harness;
  v1::CreateSessionRequest request;
  request.set_model_name("puck");
  request.set_request_id("1");
  request.set_priority(-1);
  const auto first = harness.call(&Stub::CreateSession, request), second = harness.call(&Stub::CreateSession, request);
  checkRefused(first, StatusCode::INVALID_ARGUMENT, "REQUEST_INVALID", "priority");
  CHECK(second.status.error_code() == first.status.error_code());
  CHECK(second.status.error_message() == first.status.error_message());
  CHECK(second.detail.SerializeAsString() == first.detail.SerializeAsString());
}

TEST_CASE("the server keeps of a test of the connection only what it knows", "[server][service]") {
  Harness harness;
  v1::CommTestResult result;
  result.set_transport("grpc");
  result.set_verdict("good");
  result.set_success_rate(1);
  result.set_period_ns(1000000);
  result.GetReflection()->MutableUnknownFields(&result)->AddLengthDelimited(100, std::string(4190000, 'x'));
  REQUIRE(harness.call(&Stub::ReportCommTest, result).status.ok());
  const auto info = harness.call(&Stub::GetServerInfo, v1::GetServerInfoRequest{});
  REQUIRE(info.status.ok());
  CHECK(info.response.comm_test().transport() == "grpc");
}

TEST_CASE("a finding whose text is cut stays readable", "[server][service]") {
  Harness harness;
  for (int offset = 0; offset < 3; ++offset) {  // the cut falls on each byte of a character
    std::string key(static_cast<std::size_t>(offset), 'a');
    for (int i = 0; i < 200; ++i) key += "\u20ac";
    v1::ValidateModelRequest validate;
    validate.set_json("{\"" + key + "\": 1, \"name\": \"" + key + "\"}");
    const auto answer = harness.call(&Stub::ValidateModel, validate);
    CHECK(answer.status.ok());
    CHECK_FALSE(answer.response.findings().empty());
    for (const v1::Finding& finding : answer.response.findings())
      for (const std::string& text : {finding.path(), finding.value(), finding.rule(), finding.hint()})
        CHECK(rt::validText(text) == text);
  }
}

TEST_CASE("many names that nobody knows cost little more than as many empty ones", "[server][service]") {
  Harness harness;
  std::string bodies;
  for (int i = 0; i < 4096; ++i) {
    if (i > 0) bodies += ',';
    bodies += R"({"name": "body_with_a_name_)";
    bodies += std::to_string(i);
    bodies += R"(", "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1}})";
  }
  struct Cost {
    double seconds = 0;
    int hints = 0;
  };
  const auto validate = [&](const std::string& name) {
    std::string json = R"({"name": "many", "gravity": [0, 0, 0], "bodies": [)" + bodies + R"(], "joints": [)";
    for (int i = 0; i < 15'000; ++i) {
      if (i > 0) json += ',';
      json += R"({"name": "j)";
      json += std::to_string(i);
      json += R"(", "body_1": "ground", "body_2": ")";
      json += name;
      json += R"(", "spherical": {"point_1": [0, 0, 0], "point_2": [0, 0, 0]}})";
    }
    v1::ValidateModelRequest request;
    request.set_json(json + "]}");
    Cost cost;
    const std::clock_t begin = std::clock();
    const auto answer = harness.call(&Stub::ValidateModel, request);
    cost.seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    REQUIRE(answer.status.ok());
    CHECK_FALSE(answer.response.valid());
    for (const v1::Finding& finding : answer.response.findings()) cost.hints += finding.hint().empty() ? 0 : 1;
    return cost;
  };
  // No name is looked for in place of an empty one. A search for each of the others takes more than ten times as long.
  const Cost empty = validate(""), unknown = validate("bady_with_no_name");
  CHECK(unknown.seconds < 4 * empty.seconds);
  CHECK(unknown.hints == empty.hints + 16);
}

TEST_CASE("reflection streams and threads are limited", "[server][service]") {
  Harness harness;
  const auto threads = [] {
    const std::filesystem::directory_iterator tasks("/proc/self/task");
    return std::distance(begin(tasks), end(tasks));
  };
  const auto channel = grpc::CreateChannel(harness.server().address(), grpc::InsecureChannelCredentials());
  grpc::GenericStub stub(channel);
  const auto before = threads();
  std::vector<std::unique_ptr<grpc::ClientContext>> contexts;
  std::vector<std::unique_ptr<grpc::GenericClientAsyncReaderWriter>> streams;
  grpc::CompletionQueue queue;
  for (int i = 0; i < 60; ++i) {
    contexts.push_back(std::make_unique<grpc::ClientContext>());
    streams.push_back(stub.PrepareCall(contexts.back().get(),
                                       "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", &queue));
    streams.back()->StartCall(nullptr);
  }
  // The streams beyond the limit end by themselves.
  std::vector<grpc::Status> statuses(streams.size());
  for (std::size_t i = 0; i < streams.size(); ++i) streams[i]->Finish(&statuses[i], &statuses[i]);
  int ended = 0;
  void* tag = nullptr;
  bool ok = false;
  while (ended < 56 && queue.Next(&tag, &ok)) ended += tag != nullptr ? 1 : 0;
  CHECK(threads() < before + 40);  // four for streams; gRPC keeps some for calls to come
  for (const auto& context : contexts) context->TryCancel();
  while (ended < 60 && queue.Next(&tag, &ok)) ended += tag != nullptr ? 1 : 0;
  queue.Shutdown();
  while (queue.Next(&tag, &ok)) {}
  CHECK(harness.call(&Stub::ListModels, v1::ListModelsRequest{}).status.ok());
}
