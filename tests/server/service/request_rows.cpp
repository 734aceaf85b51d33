#include "tests/server/service/request_rows.h"

#include <cmath>
#include <limits>
#include <utility>

namespace tactus::server::tests {

using google::protobuf::FieldDescriptor;
using grpc::StatusCode;
using Stub = v1::Simulation::Stub;

namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();
const std::string kLong(300, 'x');

const std::string kId(129, 'i');

std::vector<Row> rows;

/// A unary request: what is good of it, and what is bad.
template <class Request, class Response>
void add(grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*), const std::string& field,
         std::function<void(Request&)> change, StatusCode code, const std::string& reason,
         const std::string& error_field) {
  rows.push_back({Request::descriptor()->name() + "." + field,
                  [=](Harness& harness) {
                    Request request;
                    if (const auto* session = Request::descriptor()->FindFieldByName("session");
                        session && session->cpp_type() == FieldDescriptor::CPPTYPE_STRING)
                      request.GetReflection()->SetString(&request, session, "rig");
                    change(request);
                    const auto answer = harness.call(method, request);
                    return Outcome{answer.status.error_code(), answer.detail};
                  },
                  code, reason, error_field});
}

/// A call on a session: its name, and its id where it has one.
template <class Request, class Response>
void addSession(grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*)) {
  add<Request, Response>(
      method, "session", [](Request& r) { r.set_session("rag"); }, StatusCode::NOT_FOUND, "SESSION_UNKNOWN", "session");
  if constexpr (requires(Request r) { r.set_request_id(""); })
    add<Request, Response>(
        method, "request_id", [](Request& r) { r.set_request_id(kId); }, StatusCode::INVALID_ARGUMENT,
        "REQUEST_INVALID", "request_id");
}

void addCreate(const std::string& field, std::function<void(v1::CreateSessionRequest&)> change, StatusCode code,
               const std::string& reason, const std::string& error_field) {
  add<v1::CreateSessionRequest, v1::Session>(
      &Stub::CreateSession, field,
      [change](v1::CreateSessionRequest& r) {
        r.set_model_name("motor_four_bar");
        change(r);
      },
      code, reason, error_field);
}

void addTick(const std::string& field, std::function<void(v1::TickOpen&)> change, StatusCode code,
             const std::string& reason, const std::string& error_field) {
  rows.push_back({"TickOpen." + field,
                  [=](Harness& harness) {
                    v1::TickOpen open = openPuck("rig");
                    change(open);
                    const auto answer = harness.tick(open)->finish();
                    return Outcome{answer.status.error_code(), answer.detail};
                  },
                  code, reason, error_field});
}

void addObserve(const std::string& field, std::function<void(v1::ObserveRequest&)> change, StatusCode code,
                const std::string& reason, const std::string& error_field) {
  rows.push_back({"ObserveRequest." + field,
                  [=](Harness& harness) {
                    v1::ObserveRequest request = observePuck("rig");
                    change(request);
                    const auto answer = harness.observe(request)->finish();
                    return Outcome{answer.status.error_code(), answer.detail};
                  },
                  code, reason, error_field});
}

void addInput(const std::string& field, std::uint64_t sequence, std::vector<double> values, const std::string& reason,
              const std::string& error_field, std::int64_t for_tick = 0) {
  rows.push_back({"TickInput." + field,
                  [=](Harness& harness) {
                    auto stream = harness.tick(openPuck("rig"));
                    stream->send(sequence, values, 0, for_tick);
                    const v1::ErrorDetail detail = stream->notice().detail();
                    stream->closeInputs();
                    stream->finish();
                    return Outcome{StatusCode::OK, detail};  // the stream continues
                  },
                  StatusCode::OK, reason, error_field});
}

void addRun(const std::string& field, std::function<void(v1::RunSessionRequest&)> change, StatusCode code,
            const std::string& reason, const std::string& error_field) {
  rows.push_back({"RunSessionRequest." + field,
                  [=](Harness& harness) {
                    v1::RunSessionRequest request;
                    request.set_session("rig");
                    request.set_ticks(10);
                    change(request);
                    grpc::ClientContext context;
                    const auto stream = harness.stub()->RunSession(&context, request);
                    v1::RunSessionResponse response;
                    while (stream->Read(&response)) {}
                    const grpc::Status status = stream->Finish();
                    return Outcome{status.error_code(), detailOf(context)};
                  },
                  code, reason, error_field});
}

void fillModels() {
  const auto invalid = StatusCode::INVALID_ARGUMENT, missing = StatusCode::NOT_FOUND;
  using Get = v1::GetModelRequest;
  add<Get, v1::GetModelResponse>(
      &Stub::GetModel, "name", [](Get& r) { r.clear_session(), r.set_name("pucc"); }, missing, "MODEL_UNKNOWN", "name");
  add<Get, v1::GetModelResponse>(
      &Stub::GetModel, "session", [](Get& r) { r.set_session("rag"); }, missing, "SESSION_UNKNOWN", "session");
  using Load = v1::LoadModelRequest;
  const auto load = [&](const std::string& field, std::function<void(Load&)> change, const std::string& reason,
                        const std::string& error_field) {
    add<Load, v1::LoadModelResponse>(&Stub::LoadModel, field, std::move(change), invalid, reason, error_field);
  };
  load(
      "model", [](Load& r) { r.mutable_model()->set_name("bare"); }, "MODEL_INVALID", "model");
  load(
      "json", [](Load& r) { r.set_json("{"); }, "MODEL_INVALID", "model");
  load(
      "text", [](Load& r) { r.set_text("name: "); }, "MODEL_INVALID", "model");
  using Unload = v1::UnloadModelRequest;
  add<Unload, v1::UnloadModelResponse>(
      &Stub::UnloadModel, "name", [](Unload& r) { r.set_name("pucc"); }, missing, "MODEL_UNKNOWN", "name");
  add<Unload, v1::UnloadModelResponse>(
      &Stub::UnloadModel, "name", [](Unload& r) { r.set_name("four_bar"); }, invalid, "REQUEST_INVALID", "name");
}

void fillSessions() {
  const auto invalid = StatusCode::INVALID_ARGUMENT, missing = StatusCode::NOT_FOUND;
  using Create = v1::CreateSessionRequest;
  const std::string bad = "REQUEST_INVALID";
  addCreate(
      "request_id", [](Create& r) { r.set_request_id(kId); }, invalid, bad, "request_id");
  addCreate(
      "name", [](Create& r) { r.set_name("../x"); }, invalid, bad, "name");
  addCreate(
      "model_name", [](Create& r) { r.set_model_name("/etc/passwd"); }, missing, "MODEL_UNKNOWN", "model_name");
  addCreate(
      "model", [](Create& r) { r.mutable_model()->set_name("bare"); }, invalid, "MODEL_INVALID", "model");
  addCreate(
      "period_ns", [](Create& r) { r.set_period_ns(-1); }, invalid, bad, "period_ns");
  addCreate(
      "period_ns", [](Create& r) { r.set_period_ns(1); }, invalid, bad, "period_ns");
  addCreate(
      "clock", [](Create& r) { r.set_clock(v1::ClockMode(99)); }, invalid, bad, "clock");
  for (const double scale : {0.0, -1.0, kNan, 1e300})
    addCreate(
        "scale", [=](Create& r) { r.set_clock(v1::CLOCK_MODE_SCALED), r.set_scale(scale); }, invalid, bad, "scale");
  addCreate(
      "iterations", [](Create& r) { r.set_iterations(2000); }, invalid, bad, "iterations");
  const auto setting = [](const std::string& name, double value) {
    return [=](Create& r) {
      v1::SolverSetting& added = *r.add_solver_settings();
      added.set_name(name);
      added.set_value(value);
    };
  };
  for (const double passes : {0.0, 2.5, 11.0, -1.0, kNan, 1e300})
    addCreate("solver_settings", setting("velocity_passes", passes), invalid, bad, "solver_settings[0]");
  for (const double compliance : {0.0, -1.0, 1.0, kNan})
    addCreate("solver_settings", setting("relative_compliance", compliance), invalid, bad, "solver_settings[0]");
  for (const double flag : {0.5, 2.0, kNan})
    addCreate("solver_settings", setting("full_newton", flag), invalid, bad, "solver_settings[0]");
  addCreate("solver_settings", setting("velocity_pases", 2), invalid, bad, "solver_settings[0]");
  addCreate("solver_settings", setting("", 2), invalid, bad, "solver_settings[0]");
  addCreate(
      "threads", [](Create& r) { r.set_threads(5000); }, invalid, bad, "threads");
  addCreate(
      "initial_condition", [](Create& r) { r.set_initial_condition("spining"); }, invalid, bad, "initial_condition");
  addCreate(
      "scripted_inputs", [](Create& r) { r.add_scripted_inputs(); }, invalid, bad, "scripted_inputs[0].tick");
  addCreate(
      "stop_tick", [](Create& r) { r.set_stop_tick(-1); }, invalid, bad, "stop_tick");
  for (const int priority : {-1, 100})
    addCreate(
        "priority", [=](Create& r) { r.set_priority(priority); }, invalid, bad, "priority");
  for (const int cpu : {-1, 5000})
    addCreate(
        "cpus", [=](Create& r) { r.add_cpus(cpu); }, invalid, bad, "cpus[0]");
  addCreate(
      "overrun", [](Create& r) { r.mutable_overrun()->set_policy(v1::OverrunPolicy(99)); }, invalid, bad,
      "overrun.policy");
  addCreate(
      "overrun", [](Create& r) { r.mutable_overrun()->set_burst(2); }, invalid, bad, "overrun.burst");
  addCreate(
      "overrun", [](Create& r) { r.set_clock(v1::CLOCK_MODE_FREE_RUN), r.mutable_overrun()->set_grace_ticks(2); },
      invalid, bad, "overrun");
  addCreate(
      "participants", [](Create& r) { r.set_clock(v1::CLOCK_MODE_LOCKSTEP), r.add_participants("nobody"); }, invalid,
      bad, "participants[0]");
  addCreate(
      "participants", [](Create& r) { r.add_participants("inputs"); }, invalid, bad, "participants");
  addCreate(
      "participant_timeout_ns",
      [](Create& r) { r.set_clock(v1::CLOCK_MODE_LOCKSTEP), r.set_participant_timeout_ns(-1); }, invalid, bad,
      "participant_timeout_ns");
  addCreate(
      "participant_rule",
      [](Create& r) { r.set_clock(v1::CLOCK_MODE_LOCKSTEP), r.set_participant_rule(v1::PARTICIPANT_RULE_SAFE); },
      invalid, bad, "participant_rule");
  addCreate(
      "participant_rule",
      [](Create& r) {
        r.set_clock(v1::CLOCK_MODE_LOCKSTEP), r.set_participant_timeout_ns(1);
        r.set_participant_rule(v1::ParticipantRule(99));
      },
      invalid, bad, "participant_rule");
  addCreate(
      "parameters",
      [](Create& r) {
        r.add_parameters()->set_name("gravity_y");
        r.mutable_parameters(0)->set_value(kNan);
      },
      invalid, "NOT_FINITE", "parameters[0].value");

  addSession(&Stub::GetSession);
  addSession(&Stub::DeleteSession);
  addSession(&Stub::StartSession);
  addSession(&Stub::PauseSession);
  addSession(&Stub::StepSession);
  addSession(&Stub::ResetSession);
  addSession(&Stub::EnterSafeState);
  addSession(&Stub::ClearSafeState);
  using Step = v1::StepSessionRequest;
  for (const std::int64_t ticks : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1'000'001}})
    add<Step, v1::Session>(
        &Stub::StepSession, "ticks", [=](Step& r) { r.set_ticks(ticks); }, invalid, bad, "ticks");
}

void fillBlocks() {
  const auto invalid = StatusCode::INVALID_ARGUMENT, missing = StatusCode::NOT_FOUND;
  using Run = v1::RunSessionRequest;
  const std::string bad = "REQUEST_INVALID";
  addRun(
      "session", [](Run& r) { r.set_session("rag"); }, missing, "SESSION_UNKNOWN", "session");
  addRun(
      "session", [](Run& r) { r.set_session("paced"); }, StatusCode::FAILED_PRECONDITION, "SESSION_STATE", "session");
  addRun(
      "inputs", [](Run& r) { r.add_inputs("push_z"); }, missing, "SIGNAL_UNKNOWN", "inputs[0]");
  addRun(
      "inputs", [](Run& r) { r.add_inputs("push_x"), r.add_inputs("push_x"); }, invalid, bad, "inputs[1]");
  for (const std::int64_t ticks : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{100'001}})
    addRun(
        "ticks", [=](Run& r) { r.set_ticks(ticks); }, invalid, bad, "ticks");
  const auto with = [](std::size_t count, double last) {
    return [=](Run& r) {
      std::vector<double> values(count, 0.0);
      if (count > 0) values.back() = last;
      r.add_inputs("push_x");
      r.set_rows(values.data(), count * sizeof(double));
    };
  };
  for (const std::size_t count : {std::size_t{0}, std::size_t{9}, std::size_t{11}})
    addRun("rows", with(count, 0), invalid, bad, "rows");
  addRun(
      "rows", [](Run& r) { r.set_rows("12345678"); }, invalid, bad, "rows");
  addRun("rows", with(10, kNan), invalid, "NOT_FINITE", "rows");
  addRun("rows", with(10, 11), invalid, "VALUE_OUT_OF_RANGE", "rows");
  addRun(
      "outputs", [](Run& r) { r.add_outputs("no.*"); }, missing, "SIGNAL_UNKNOWN", "outputs");
  addRun(
      "controller", [](Run& r) { r.set_controller(kLong); }, invalid, bad, "controller");
}

void fillSignalsAndParameters() {
  const auto invalid = StatusCode::INVALID_ARGUMENT, missing = StatusCode::NOT_FOUND;
  using List = v1::ListSignalsRequest;
  addSession(&Stub::ListSignals);
  add<List, v1::ListSignalsResponse>(
      &Stub::ListSignals, "model", [](List& r) { r.clear_session(), r.set_model("pucc"); }, missing, "MODEL_UNKNOWN",
      "model");
  add<List, v1::ListSignalsResponse>(
      &Stub::ListSignals, "patterns", [](List& r) { r.add_patterns("no.*"); }, missing, "SIGNAL_UNKNOWN", "patterns");
  addSession(&Stub::ReadSignals);
  using Read = v1::ReadSignalsRequest;
  add<Read, v1::ReadSignalsResponse>(
      &Stub::ReadSignals, "patterns", [](Read& r) { r.add_patterns("no.*"); }, missing, "SIGNAL_UNKNOWN", "patterns");

  addSession(&Stub::QueryRoad);
  using Road = v1::QueryRoadRequest;
  const auto road = [&](const std::string& field, std::function<void(Road&)> change, const std::string& error_field) {
    add<Road, v1::QueryRoadResponse>(&Stub::QueryRoad, field, std::move(change), StatusCode::INVALID_ARGUMENT,
                                     "REQUEST_INVALID", error_field);
  };
  road(
      "points", [](Road&) {}, "points");
  road(
      "points", [](Road& r) { r.mutable_points()->Resize(4, 0); }, "points");
  road(
      "points", [](Road& r) { r.mutable_points()->Resize(30'003, 0); }, "points");
  road(
      "points", [](Road& r) { r.mutable_points()->Resize(3, kNan); }, "points[0]");
  road(
      "road", [](Road& r) { r.set_road("street"), r.mutable_points()->Resize(3, 0); }, "session");  // it has none

  addSession(&Stub::Analyse);
  using Analyse = v1::AnalyseRequest;
  const auto analyse = [&](const std::string& field, std::function<void(Analyse&)> change, StatusCode code,
                           const std::string& reason, const std::string& error_field) {
    add<Analyse, v1::AnalyseResponse>(&Stub::Analyse, field, std::move(change), code, reason, error_field);
  };
  analyse(
      "outputs", [](Analyse& r) { r.add_outputs("no.*"); }, missing, "SIGNAL_UNKNOWN", "outputs");
  analyse(
      "inputs", [](Analyse& r) { r.add_inputs("push"); }, missing, "SIGNAL_UNKNOWN", "inputs");
  analyse(
      "inputs", [](Analyse& r) { r.add_inputs("energy.total"); }, invalid, "REQUEST_INVALID", "inputs");
  analyse(
      "inputs", [](Analyse& r) { r.add_inputs("energy.*"); }, invalid, "REQUEST_INVALID", "inputs");
  analyse(
      "turning", [](Analyse& r) { r.mutable_turning()->Resize(2, 0); }, invalid, "REQUEST_INVALID", "turning");
  analyse(
      "turning", [](Analyse& r) { r.mutable_turning()->Resize(3, kNan); }, invalid, "NOT_FINITE", "turning[0]");
  analyse(
      "shapes", [](Analyse& r) { r.set_shapes(true); }, invalid, "REQUEST_INVALID", "shapes");
  for (const double f : {0.0, -1.0, kNan, std::numeric_limits<double>::infinity()})
    analyse(
        "frequencies", [=](Analyse& r) { r.add_frequencies(f); }, invalid, "VALUE_OUT_OF_RANGE", "frequencies[0]");
  analyse(
      "frequencies", [](Analyse& r) { r.mutable_frequencies()->Resize(10'001, 1); }, StatusCode::RESOURCE_EXHAUSTED,
      "LIMIT_EXCEEDED", "frequencies");
  analyse(
      "equilibrium", [](Analyse& r) { r.mutable_equilibrium()->set_load_steps(10'001); },
      StatusCode::RESOURCE_EXHAUSTED, "LIMIT_EXCEEDED", "equilibrium.load_steps");
  analyse(
      "equilibrium", [](Analyse& r) { r.mutable_equilibrium(), r.set_modes(true); }, invalid, "REQUEST_INVALID",
      "modes");
  analyse(
      "trim", [](Analyse& r) { r.mutable_trim(); }, invalid, "REQUEST_INVALID", "trim.require");
  analyse(
      "trim", [](Analyse& r) { r.mutable_trim()->add_require()->set_name("no"); }, missing, "SIGNAL_UNKNOWN",
      "trim.require[0].name");
  analyse(
      "trim",
      [](Analyse& r) {
        r.set_session("bar"), r.mutable_trim()->add_require()->set_name("crank_angle");
        r.mutable_trim()->add_free("no");
      },
      missing, "SIGNAL_UNKNOWN", "trim.free[0]");
  analyse(
      "input_values", [](Analyse& r) { r.set_session("bar"), r.add_input_values()->set_name("motor"); }, invalid,
      "REQUEST_INVALID", "input_values");
  for (const double value : {kNan, 1e9})
    analyse(
        "input_values",
        [=](Analyse& r) {
          r.set_session("bar"), r.mutable_equilibrium(), r.add_input_values()->set_name("motor");
          r.mutable_input_values(0)->set_value(value);
        },
        invalid, std::isnan(value) ? "NOT_FINITE" : "VALUE_OUT_OF_RANGE", "input_values[0].value");

  addSession(&Stub::GetParameters);
  using Get = v1::GetParametersRequest;
  add<Get, v1::ParameterReport>(
      &Stub::GetParameters, "names", [](Get& r) { r.set_session("bar"), r.add_names("rocker_mas"); }, missing,
      "PARAMETER_UNKNOWN", "names[0]");
  addSession(&Stub::SetParameters);
  const auto set = [&](const std::string& name, double value, StatusCode code, const std::string& reason,
                       const std::string& error_field) {
    using Set = v1::SetParametersRequest;
    add<Set, v1::ParameterReport>(
        &Stub::SetParameters, "values",
        [=](Set& r) {
          r.set_session("bar");
          r.add_values()->set_name(name);
          r.mutable_values(0)->set_value(value);
        },
        code, reason, error_field);
  };
  set("rocker_mas", 1, missing, "PARAMETER_UNKNOWN", "values[0].name");
  set("rocker_mass", kNan, invalid, "NOT_FINITE", "values[0].value");
  set("rocker_mass", -1, invalid, "VALUE_OUT_OF_RANGE", "values[0].value");
  set("rocker_mass", 1e308, invalid, "VALUE_OUT_OF_RANGE", "values[0].value");
}

template <class Add>
void fillStream(Add&& add) {
  const auto invalid = StatusCode::INVALID_ARGUMENT, missing = StatusCode::NOT_FOUND,
             state = StatusCode::FAILED_PRECONDITION;
  add(
      "session", [](auto& r) { r.set_session("rag"); }, missing, "SESSION_UNKNOWN", "session");
  add(
      "inputs", [](auto& r) { r.set_inputs(0, "push_z"); }, missing, "SIGNAL_UNKNOWN", "inputs[0]");
  add(
      "inputs", [](auto& r) { r.set_inputs(0, r.inputs(1)); }, invalid, "REQUEST_INVALID", "inputs[1]");
  add(
      "outputs", [](auto& r) { r.add_outputs("no.*"); }, missing, "SIGNAL_UNKNOWN", "outputs");
  add(
      "expected_input_layout_hash", [](auto& r) { r.set_expected_input_layout_hash(1); }, state, "LAYOUT_MISMATCH",
      "expected_input_layout_hash");
  add(
      "expected_output_layout_hash", [](auto& r) { r.set_expected_output_layout_hash(1); }, state, "LAYOUT_MISMATCH",
      "expected_output_layout_hash");
  add(
      "controller", [](auto& r) { r.set_controller(kLong); }, invalid, "REQUEST_INVALID", "controller");
  add(
      "takeover", [](auto& r) { r.set_takeover(true); }, invalid, "REQUEST_INVALID", "takeover_reason");
  add(
      "takeover_reason", [](auto& r) { r.set_takeover_reason("why"); }, invalid, "REQUEST_INVALID", "takeover_reason");
  add(
      "takeover_reason", [](auto& r) { r.set_takeover(true), r.set_takeover_reason(kLong); }, invalid,
      "REQUEST_INVALID", "takeover_reason");
}

void fillStreams() {
  const auto limit = StatusCode::RESOURCE_EXHAUSTED, invalid = StatusCode::INVALID_ARGUMENT,
             missing = StatusCode::NOT_FOUND;
  fillStream([](const std::string& field, std::function<void(v1::TickOpen&)> change, StatusCode code,
                const std::string& reason,
                const std::string& error_field) { addTick(field, std::move(change), code, reason, error_field); });
  addTick(
      "credit_window", [](v1::TickOpen& r) { r.set_credit_window(4097); }, limit, "LIMIT_EXCEEDED", "credit_window");
  addInput("sequence", 0, {0, 0}, "REQUEST_INVALID", "sequence");
  addInput("values", 1, {kNan, 0}, "NOT_FINITE", "values[0]");
  addInput("values", 1, {0, std::numeric_limits<double>::infinity()}, "NOT_FINITE", "values[1]");
  addInput("values", 1, {1e308, 0}, "VALUE_OUT_OF_RANGE", "values[0]");
  addInput("values", 1, {0}, "REQUEST_INVALID", "values");
  for (const std::int64_t tick : {std::int64_t{10}, std::int64_t{-1}})
    addInput("for_tick", 1, {0, 0}, "TICK_IN_PAST", "for_tick", tick);
  addInput("for_tick", 1, {0, 0}, "TICK_TOO_FAR", "for_tick", 12);

  using Observe = v1::ObserveRequest;
  addObserve(
      "session", [](Observe& r) { r.set_session("rag"); }, missing, "SESSION_UNKNOWN", "session");
  addObserve(
      "signals", [](Observe& r) { r.add_signals("no.*"); }, missing, "SIGNAL_UNKNOWN", "signals");
  addObserve(
      "delivery", [](Observe& r) { r.set_delivery(v1::Delivery(99)); }, invalid, "REQUEST_INVALID", "delivery");
  addObserve(
      "queue_depth", [](Observe& r) { r.set_delivery(v1::DELIVERY_QUEUE), r.set_queue_depth(4097); }, limit,
      "LIMIT_EXCEEDED", "queue_depth");
  addObserve(
      "credit_window", [](Observe& r) { r.set_credit_window(4097); }, limit, "LIMIT_EXCEEDED", "credit_window");
  addObserve(
      "expected_layout_hash", [](Observe& r) { r.set_expected_layout_hash(1); }, StatusCode::FAILED_PRECONDITION,
      "LAYOUT_MISMATCH", "expected_layout_hash");

  using Link = v1::OpenDeviceLinkRequest;
  const auto link = [](const std::string& field, std::function<void(Link&)> change, StatusCode code,
                       const std::string& reason, const std::string& error_field) {
    add<Link, v1::DeviceLink>(
        &Stub::OpenDeviceLink, field,
        [change](Link& r) {
          r.set_session("paced");
          r.add_inputs("push_x");
          r.add_inputs("push_y");
          change(r);
        },
        code, reason, error_field);
  };
  fillStream(link);
  link(
      "idle_limit_ns", [](Link& r) { r.set_idle_limit_ns(1); }, invalid, "REQUEST_INVALID", "idle_limit_ns");
  link(
      "max_backfilled", [](Link& r) { r.set_max_backfilled(10'001); }, limit, "LIMIT_EXCEEDED", "max_backfilled");
  link(
      "leave_safe_state", [](Link& r) { r.set_leave_safe_state(true); }, invalid, "REQUEST_INVALID",
      "leave_safe_state");
  add<v1::CloseDeviceLinkRequest, v1::DeviceLink>(
      &Stub::CloseDeviceLink, "id", [](auto& r) { r.set_id(77); }, missing, "LINK_UNKNOWN", "id");
  addSession(&Stub::ListDeviceLinks);
}

void fillFitness() {
  const auto invalid = StatusCode::INVALID_ARGUMENT;
  using Test = v1::CommTestResult;
  const auto report = [&](const std::string& field, std::function<void(Test&)> change) {
    add<Test, v1::ReportCommTestResponse>(
        &Stub::ReportCommTest, field,
        [change](Test& r) {
          r.set_transport("grpc"), r.set_verdict("good"), r.set_period_ns(1);
          change(r);
        },
        invalid, "REQUEST_INVALID", field);
  };
  report("transport", [](Test& r) { r.set_transport("tcp"); });
  report("verdict", [](Test& r) { r.set_verdict(kLong); });
  for (const double rate : {-0.1, 1.1, kNan}) report("success_rate", [=](Test& r) { r.set_success_rate(rate); });
  report("period_ns", [](Test& r) { r.set_period_ns(0); });
  report("ticks", [](Test& r) { r.set_ticks(-1); });
  report("round_trip", [](Test& r) { r.mutable_round_trip()->set_phase(kLong); });
}

void fillRecordings() {
  const auto invalid = StatusCode::INVALID_ARGUMENT, missing = StatusCode::NOT_FOUND;
  addSession(&Stub::GetTimingReport);
  addSession(&Stub::StartRecording);
  using Start = v1::StartRecordingRequest;
  add<Start, v1::Recording>(
      &Stub::StartRecording, "name", [](Start& r) { r.set_name("../x"); }, invalid, "REQUEST_INVALID", "name");
  add<Start, v1::Recording>(
      &Stub::StartRecording, "signals", [](Start& r) { r.add_signals("no.*"); }, missing, "SIGNAL_UNKNOWN", "signals");
  add<v1::StopRecordingRequest, v1::Recording>(
      &Stub::StopRecording, "name", [](auto& r) { r.set_name("none"); }, missing, "RECORDING_UNKNOWN", "name");
  addSession(&Stub::ListRecordings);
  addSession(&Stub::SaveSnapshot);
  addSession(&Stub::RestoreSnapshot);
  add<v1::RestoreSnapshotRequest, v1::Session>(
      &Stub::RestoreSnapshot, "snapshot", [](auto& r) { r.clear_snapshot(); }, invalid, "REQUEST_INVALID", "snapshot");
}

/// Fields of which no value is wrong, and why; those of downloads and snapshots have their own tests.
const std::set<std::string> kAnyValue = {
    "ValidateModelRequest.model",
    "ValidateModelRequest.json",
    "ValidateModelRequest.text",        // findings are its answer
    "RunSessionRequest.every",          // any number, 0 for the default
    "CreateSessionRequest.miss_limit",  // any number, 0 for never
    "TickOpen.output_divisor",
    "OpenDeviceLinkRequest.output_divisor",  // 0 stands for 1
    "ObserveRequest.every",
    "ListSessionsRequest.page_token",       // sessions behind any name
    "StartRecordingRequest.signals_every",  // 0 stands for 1
    "StartRecordingRequest.scene",
    "TickOpen.packed",
    "ObserveRequest.packed",
    "GetTimingReportRequest.reset",
    "RestoreSnapshotRequest.force",
    "AnalyseRequest.modes",
    "AnalyseRequest.linearize",
    "OpenDeviceLinkRequest.persistent",
    "TickOpen.leave_safe_state",
    "TickInput.acknowledged_output_sequence",
    "TickInput.acknowledge_only",
    "TickInput.send_time_ns",
    "CommTestResult.inputs_sent",
    "CommTestResult.inputs_superseded",
    "CommTestResult.frames",
    "CommTestResult.frames_missed",
    "CommTestResult.datagrams",
    "CommTestResult.states_lost",  // counts
    "CommTestResult.time_ns",      // the server's own in its place
    "TickRequest.open",
    "TickRequest.leave",
    "TickRequest.input",  // their order: bad_input_test.cpp
    "FrameAcknowledgement.stream_id",
    "FrameAcknowledgement.sequence",  // of no stream: nothing happens
    "DownloadRecordingRequest.name",
    "DownloadRecordingRequest.offset",
    "DownloadRecordingRequest.chunk_bytes",
};

}  // namespace

std::vector<Row> requestRows() {
  rows.clear();
  fillModels();
  fillSessions();
  fillBlocks();
  fillSignalsAndParameters();
  fillStreams();
  fillRecordings();
  fillFitness();
  return std::exchange(rows, {});
}

const std::set<std::string>& fieldsWithoutBadValues() {
  return kAnyValue;
}

}  // namespace tactus::server::tests
