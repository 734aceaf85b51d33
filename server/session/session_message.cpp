#include "server/session/session_message.h"

#include "rt/model/check_model.h"
#include "rt/model/model.h"
#include "server/session/host_use.h"
#include "server/wire/request_error.h"
#include "server/wire/settings_message.h"
#include "server/wire/state_frame.h"
#include "server/wire/tick_input.h"
#include "server/wire/wire_enum.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tactus::server {

namespace {

const WireEnum<v1::ClockMode, ClockChoice::Mode>& clockModes() {
  static const WireEnum<v1::ClockMode, ClockChoice::Mode> modes(kClockChoices);
  return modes;
}

const WireEnum<v1::OverrunPolicy, rt::OverrunPolicy>& overrunPolicies() {
  static const WireEnum<v1::OverrunPolicy, rt::OverrunPolicy> policies(rt::kOverrunPolicies);
  return policies;
}

const WireEnum<v1::ParticipantRule, ParticipantRule>& participantRules() {
  static const WireEnum<v1::ParticipantRule, ParticipantRule> rules(kParticipantRules);
  return rules;
}

// The value of a field; 0, which a client leaves out, stands for the default.
template <class Proto, class Value>
Value readEnum(const WireEnum<Proto, Value>& values, int number, Value absent, const char* field, const char* what) {
  if (number == 0) return absent;
  if (const auto value = values.fromProto(number)) return *value;
  throw RequestError(Reason::kRequestInvalid, field, std::string("unknown ") + what + " " + std::to_string(number));
}

ClockChoice readClock(const v1::CreateSessionRequest& request) {
  using Mode = ClockChoice::Mode;
  const Mode mode = readEnum(clockModes(), request.clock(), Mode::kRealTime, "clock", "clock");
  if (mode != Mode::kScaled) return {mode, 1};
  if (!std::isfinite(request.scale()) || request.scale() <= 0)
    throw RequestError(Reason::kRequestInvalid, "scale", "a scaled clock needs a finite factor above zero");
  return {mode, request.scale()};
}

rt::OverrunRule readOverrun(const v1::OverrunRule& message) {
  rt::OverrunRule rule;
  rule.policy = readEnum(overrunPolicies(), message.policy(), rule.policy, "overrun.policy", "overrun policy");
  const bool catches_up = rule.policy == rt::OverrunPolicy::kCatchUp;
  if (catches_up != (message.burst() > 0))
    throw RequestError(
        Reason::kRequestInvalid, "overrun.burst",
        catches_up ? "catch-up needs the maximum number of consecutive late ticks" : "only catch-up starts ticks late");
  if (catches_up) rule.burst = message.burst();
  rule.grace_ticks = message.grace_ticks();
  rule.max_consecutive = message.max_consecutive();
  rule.max_total = message.max_total();
  return rule;
}

void writeOverrun(const rt::OverrunRule& rule, v1::OverrunRule& message) {
  message.set_policy(overrunPolicies().toProto(rule.policy));
  if (rule.policy == rt::OverrunPolicy::kCatchUp) message.set_burst(static_cast<std::uint32_t>(rule.burst));
  message.set_grace_ticks(static_cast<std::uint32_t>(rule.grace_ticks));
  message.set_max_consecutive(static_cast<std::uint32_t>(rule.max_consecutive));
  message.set_max_total(static_cast<std::uint32_t>(rule.max_total));
}

// The rules of streamed inputs apply to scripted ones.
std::vector<rt::ScriptedInput> readScript(const v1::CreateSessionRequest& request, const rt::Model& model,
                                          const Limits& limits) {
  const auto& inputs = request.scripted_inputs();
  if (static_cast<std::size_t>(inputs.size()) * model.actuators.size() > limits.scripted_values)
    throw RequestError(Reason::kLimitExceeded, "scripted_inputs",
                       "more than " + std::to_string(limits.scripted_values) + " values in total");
  const InputReader reader(model, model.actuator_names);
  std::vector<rt::ScriptedInput> script;
  for (int i = 0; i < inputs.size(); ++i) {
    const std::string field = "scripted_inputs[" + std::to_string(i) + "].";
    if (inputs[i].tick() < 1) throw RequestError(Reason::kRequestInvalid, field + "tick", "the first tick is 1");
    const InputVerdict verdict = reader.validate(spanOf(inputs[i].values()));
    if (!verdict.ok()) {
      const RequestError error = reader.explain(verdict);
      throw RequestError(error.reason(), field + error.field(), error.what(), error.hint());
    }
    script.push_back({inputs[i].tick(), {inputs[i].values().begin(), inputs[i].values().end()}});
  }
  return script;
}

ParticipantRule readParticipantRule(const v1::CreateSessionRequest& request) {
  if (request.participant_rule() != v1::PARTICIPANT_RULE_UNSPECIFIED && request.participant_timeout_ns() == 0)
    throw RequestError(Reason::kRequestInvalid, "participant_rule",
                       "participant_rule has no effect without participant_timeout_ns", "set participant_timeout_ns");
  return readEnum(participantRules(), request.participant_rule(), ParticipantRule::kContinue, "participant_rule",
                  "rule");
}

// The groups of actuators that a tick waits for.
rt::GroupMask readParticipants(const v1::CreateSessionRequest& request, const rt::Model& model) {
  const bool lockstep = request.clock() == v1::CLOCK_MODE_LOCKSTEP;
  if (request.participant_timeout_ns() < 0)
    throw RequestError(Reason::kRequestInvalid, "participant_timeout_ns", "must be 0 to wait forever, or positive");
  if (!lockstep && (!request.participants().empty() || request.participant_timeout_ns() > 0))
    throw RequestError(
        Reason::kRequestInvalid, request.participants().empty() ? "participant_timeout_ns" : "participants",
        "ticks wait for participants only with the clock lockstep", "leave it out, or use the clock lockstep");
  rt::GroupMask groups = 0;
  for (int i = 0; i < request.participants_size(); ++i) {
    const std::string& name = request.participants(i);
    const auto found = std::find(model.groups.begin(), model.groups.end(), name);
    if (found == model.groups.end()) {
      const std::string near = rt::nearestName(name, model.groups);
      throw RequestError(Reason::kRequestInvalid, "participants[" + std::to_string(i) + "]",
                         "the model has no group of actuators \"" + name + '"',
                         near.empty() ? "it has " + model.groups.front() : "did you mean \"" + near + "\"?");
    }
    groups |= rt::GroupMask{1} << (found - model.groups.begin());
  }
  return groups;
}

constexpr std::uint32_t kMaxThreads = 1024;  // as tactus serve --threads

}  // namespace

SessionSpec readSessionSpec(const v1::CreateSessionRequest& request, std::shared_ptr<const rt::Model> model,
                            const Limits& limits, int default_priority) {
  SessionSpec spec;
  spec.name = request.name();
  spec.model_label = request.has_model() ? request.model().name() : request.model_name();
  spec.clock = readClock(request);
  spec.period_ns = request.period_ns();
  // The settings first: their place in the list is that in the request.
  for (const v1::SolverSetting& setting : request.solver_settings()) {
    if (setting.name() == "iterations" && request.iterations() != 0)
      throw RequestError(Reason::kRequestInvalid, "iterations",
                         "the request has both iterations and the solver setting \"iterations\"", "give one of them");
    spec.solver.push_back({setting.name(), setting.value()});
  }
  if (request.iterations() != 0) spec.solver.push_back({"iterations", static_cast<double>(request.iterations())});
  if (request.threads() > kMaxThreads)
    throw RequestError(Reason::kRequestInvalid, "threads", "must be at most " + std::to_string(kMaxThreads));
  if (request.threads() > 0) spec.realtime.threads = static_cast<int>(request.threads());
  spec.initial_condition = request.initial_condition();
  spec.script = readScript(request, *model, limits);
  spec.stop_tick = request.stop_tick();
  spec.realtime.priority = request.has_priority() ? request.priority() : spec.clock.paced() ? default_priority : 0;
  spec.realtime.cpus.assign(request.cpus().begin(), request.cpus().end());
  spec.overrun = readOverrun(request.overrun());
  if (request.has_miss_limit()) spec.miss_limit = request.miss_limit();
  spec.participants = readParticipants(request, *model);
  spec.participant_timeout_ns = request.participant_timeout_ns();
  spec.participant_rule = readParticipantRule(request);
  spec.model = std::move(model);
  limitHostUse(spec, limits.host, request.has_priority());
  return spec;
}

void writeSession(Session& session, v1::Session& message) {
  const SessionStatus status = session.status();
  const SessionSpec& spec = session.spec();
  message.set_name(spec.name);
  message.set_model(spec.model_label);
  message.set_state(toProto(status.state));
  message.set_clock(toProto(spec.clock.mode));
  message.set_scale(spec.clock.scale);
  message.set_period_ns(session.settings().period_ns);
  message.set_tick(status.tick);
  message.set_sim_time_ns(status.tick * session.settings().period_ns);
  message.set_iterations(static_cast<std::uint32_t>(session.settings().iterations));
  writeSettings(session.settings(), *message.mutable_settings());
  message.set_threads(static_cast<std::uint32_t>(session.threads()));
  if (status.state_hash) message.set_state_hash(rt::formatHash(*status.state_hash));
  writeAssembly(session.assembly(), *message.mutable_assembly());
  message.set_fault(status.fault);
  for (const std::string& name : session.model().actuator_names) message.add_inputs(name);
  message.set_tick_streams(session.feed().readers().count("tick"));
  message.set_observers(session.feed().readers().count("observe"));
  if (session.spec().clock.paced()) writeOverrun(spec.overrun, *message.mutable_overrun());
  message.set_miss_limit(static_cast<std::uint32_t>(session.missLimit()));
  message.set_input_mode(toProto(status.input_mode));
  const std::vector<std::string> controllers = session.inputs().controllers();
  for (std::size_t g = 0; g < controllers.size(); ++g) {
    v1::InputGroup& group = *message.add_groups();
    group.set_name(session.model().groups[g]);
    group.set_controller(controllers[g]);
    group.set_mode(toProto(status.group_modes[g]));
    for (std::size_t i = 0; i < session.model().actuators.size(); ++i)
      if (session.model().actuators[i].group == static_cast<int>(g))
        group.add_inputs(session.model().actuator_names[i]);
  }
  message.set_participants_late(session.rendezvous().late());
  message.set_priority(spec.realtime.priority);
  for (const rt::Grant& grant : session.thread().grants()) {
    v1::RealtimeGrant& written = *message.add_realtime_grants();
    written.set_asked(grant.asked);
    written.set_granted(grant.granted);
    written.set_outcome(grant.outcome);
  }
  message.set_safe_state(session.safeState());
  message.set_energy_growth(status.energy_growth);
  message.set_owner(spec.owner);
}

LeaseRequest readLease(const std::string& controller, bool takeover, const std::string& reason, const char* role) {
  if (controller.size() > 64) throw RequestError(Reason::kRequestInvalid, "controller", "at most 64 bytes");
  if (reason.size() > 256) throw RequestError(Reason::kRequestInvalid, "takeover_reason", "at most 256 bytes");
  if (takeover == reason.empty())
    throw RequestError(
        Reason::kRequestInvalid, "takeover_reason",
        takeover ? "a takeover needs a reason, which the former holder receives" : "is allowed only with takeover");
  LeaseRequest request;
  request.controller = controller.empty() ? role : controller;
  if (takeover) request.takeover_reason = reason;
  return request;
}

v1::ClockMode toProto(ClockChoice::Mode mode) noexcept {
  return clockModes().toProto(mode);
}

v1::SessionState toProto(SessionState state) noexcept {
  static const WireEnum<v1::SessionState, SessionState> states(kSessionStates);
  return states.toProto(state);
}

void writeAssembly(const rt::AssemblyResult& assembly, v1::AssemblyReport& message) {
  message.set_position_violation(assembly.position_violation);
  message.set_velocity_violation(assembly.velocity_violation);
  message.set_position_correction(assembly.position_correction);
  message.set_velocity_correction(assembly.velocity_correction);
}

}  // namespace tactus::server
