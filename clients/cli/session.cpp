#include "clients/cli/session.h"

#include "clients/cli/remote.h"
#include "proto/text/duration.h"
#include "proto/text/duration_option.h"
#include "proto/text/enum_word.h"
#include "proto/text/json_text.h"
#include "proto/text/table.h"

#include <fmt/core.h>
#include <google/protobuf/util/json_util.h>
#include <CLI/CLI.hpp>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tactus::client {
namespace {

using Json = nlohmann::ordered_json;

struct SessionChoices : RemoteChoices {
  std::string model, name, clock = "real-time", initial_condition;
  std::int64_t period_ns = 0, ticks = 1;
  std::optional<double> scale;
  std::uint32_t iterations = 0;
  std::uint32_t threads = 0;
  std::vector<std::string> solver, sets;  ///< NAME=VALUE
  std::optional<int> priority;
  std::optional<std::uint32_t> miss_limit;
  bool start = false;
};

/// Reads NAME=VALUE of an option. @throws ClientError that names the option
std::pair<std::string, double> parsed(const char* option, const std::string& word, const AssignmentParser& parse) {
  try {
    return parse(word);
  } catch (const std::exception& error) { throw refused(option, error.what()); }
}

/// The exit code of a command that has changed a session or made it tick.
text::ExitCode resultOf(const v1::Session& session) {
  if (session.state() == v1::SESSION_STATE_FAULTED) return text::kExitFault;
  return session.energy_growth().empty() ? text::kExitOk : text::kExitFinding;
}

std::string stateOf(const v1::Session& session) {
  return text::enumWord(*v1::SessionState_descriptor(), session.state());
}

std::string modeOf(v1::InputMode mode) {
  return text::enumWord(*v1::InputMode_descriptor(), mode);
}

/// "SCHED_FIFO 80", "normal class", or what was refused.
std::string classOf(const v1::Session& session) {
  for (const v1::RealtimeGrant& grant : session.realtime_grants())
    if (!grant.granted()) return "best effort: " + grant.asked() + ": " + grant.outcome();
  return session.priority() > 0 ? "SCHED_FIFO " + std::to_string(session.priority()) : "normal class";
}

/// Every setting by its name.
Json toJson(const v1::StepSettings& settings) {
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  options.always_print_primitive_fields = true;
  std::string text;
  (void)google::protobuf::util::MessageToJsonString(settings, &text, options);
  Json json = Json::parse(text);
  json["period_ns"] = settings.period_ns();  // the text of a 64-bit number is a string
  return json;
}

Json toJson(const v1::Session& session) {
  Json groups = Json::array(), grants = Json::array();
  for (const v1::InputGroup& group : session.groups())
    groups.push_back(
        {{"name", group.name()}, {"controller", group.controller()}, {"input_mode", modeOf(group.mode())}});
  for (const v1::RealtimeGrant& grant : session.realtime_grants())
    grants.push_back({{"asked", grant.asked()}, {"granted", grant.granted()}, {"outcome", grant.outcome()}});
  return {{"name", session.name()},
          {"model", session.model()},
          {"state", stateOf(session)},
          {"clock", clockWord(session.clock())},
          {"period_ns", session.period_ns()},
          {"tick", session.tick()},
          {"input_mode", modeOf(session.input_mode())},
          {"safe_state", session.safe_state()},
          {"fault", session.fault()},
          {"energy_growth", session.energy_growth()},
          {"settings", toJson(session.settings())},
          {"threads", session.threads()},
          {"owner", session.owner()},
          {"state_hash", session.state_hash()},
          {"groups", groups},
          {"priority", session.priority()},
          {"realtime_grants", grants}};
}

void show(const std::vector<v1::Session>& sessions, bool json) {
  if (json) {
    Json all = Json::array();
    for (const v1::Session& session : sessions) all.push_back(toJson(session));
    return fmt::print("{}", text::jsonText({{"sessions", all}}));
  }
  text::Table table({"session", "model", "state", "clock", "period", "tick", "inputs", "class"}, "llllrrll");
  for (const v1::Session& session : sessions)
    table.add({session.name(), session.model(), stateOf(session), clockWord(session.clock()),
               text::formatDuration(session.period_ns()), std::to_string(session.tick()), modeOf(session.input_mode()),
               classOf(session)});
  fmt::print("{}", table.text());
  for (const v1::Session& session : sessions) {
    if (!session.fault().empty()) fmt::print("{}: {}\n", session.name(), session.fault());
    if (!session.safe_state().empty()) fmt::print("{}: {}\n", session.name(), session.safe_state());
    if (!session.energy_growth().empty()) fmt::print("{}: {}\n", session.name(), session.energy_growth());
  }
}

v1::ClockMode clockOf(const std::string& word) {
  const auto* const clocks = v1::ClockMode_descriptor();
  for (int i = 1; i < clocks->value_count(); ++i)
    if (const auto clock = static_cast<v1::ClockMode>(clocks->value(i)->number()); clockWord(clock) == word)
      return clock;
  throw refused("--clock", "there is no clock \"" + word + '"',
                "choose real-time, free-run, scaled:F, lockstep or external");
}

/// The clock, and its scale from "scaled:F" or --scale; the server would ignore a scale of another clock.
void setClock(const SessionChoices& choices, v1::CreateSessionRequest& request) {
  constexpr std::string_view kScaled = "scaled:";
  std::string word = choices.clock;
  std::optional<double> scale = choices.scale;
  if (word.starts_with(kScaled)) {
    if (scale) throw refused("--scale", "--clock " + word + " has a scale", "leave out one of the two");
    const char* const last = word.data() + word.size();
    double factor = 0;
    const auto [rest, error] = std::from_chars(word.data() + kScaled.size(), last, factor);
    if (error != std::errc{} || rest != last || !std::isfinite(factor) || factor <= 0)
      throw refused("--clock", word + ": the factor must be a number above zero", "for example scaled:0.5");
    scale = factor;
    word = "scaled";
  }
  request.set_clock(clockOf(word));
  if (scale && request.clock() != v1::CLOCK_MODE_SCALED)
    throw refused("--scale", "the clock " + word + " has no scale", "add --clock scaled");
  request.set_scale(scale.value_or(1));
}

text::ExitCode create(const SessionChoices& choices, const SessionParsers& parsers) {
  v1::CreateSessionRequest request;
  setClock(choices, request);
  if (std::optional<v1::Model> model = parsers.model_file(choices.model))
    *request.mutable_model() = *std::move(model);
  else
    request.set_model_name(choices.model);
  request.set_name(choices.name);
  request.set_period_ns(choices.period_ns);
  request.set_iterations(choices.iterations);
  request.set_initial_condition(choices.initial_condition);
  request.set_threads(choices.threads);
  for (const std::string& word : choices.solver) {
    const auto [name, value] = parsed("--solver", word, parsers.setting);
    v1::SolverSetting& setting = *request.add_solver_settings();
    setting.set_name(name);
    setting.set_value(value);
  }
  for (const std::string& word : choices.sets) {
    const auto [name, value] = parsed("--set", word, parsers.parameter);
    v1::ParameterValue& parameter = *request.add_parameters();
    parameter.set_name(name);
    parameter.set_value(value);
  }
  if (choices.priority) request.set_priority(*choices.priority);
  if (choices.miss_limit) request.set_miss_limit(*choices.miss_limit);
  const Client client = connect(choices);
  // The handle would delete the session with this process.
  Session created = client.createSession(std::move(request));
  const Session kept = client.session(created.name());
  created.leave();
  const v1::Session session = choices.start ? kept.start() : kept.status();
  show({session}, choices.json);
  return resultOf(session);
}

using SessionAct = v1::Session (*)(const Session& session, const SessionChoices& choices);

void addAction(CLI::App& parent, int& exit_code, const std::shared_ptr<SessionChoices>& choices, const char* name,
               const char* description, SessionAct act) {
  CLI::App* command = addRemoteCommand(parent, name, description, *choices);
  command->add_option("SESSION", choices->session, "Name of the session; default: the only one");
  if (std::string(name) == "step")
    command->add_option("--ticks", choices->ticks, "Number of ticks, 1 to 1 000 000")->capture_default_str();
  onCall(*command, exit_code, [choices, act] {
    const Client client = connect(*choices);
    const v1::Session session = act(chooseSession(client, choices->session, "SESSION"), *choices);
    show({session}, choices->json);
    return resultOf(session);
  });
}

void addCreate(CLI::App& parent, int& exit_code, const std::shared_ptr<SessionChoices>& choices,
               SessionParsers parsers) {
  CLI::App* command = addRemoteCommand(parent, "create", "Create a session, which stays until it is deleted", *choices);
  command
      ->add_option("MODEL", choices->model, "Built-in model, e.g. chain:n=8; a .json or .txtpb file; or a loaded model")
      ->required();
  command->add_option("--name", choices->name, "Name of the session; default: chosen by the server");
  command->add_option("--clock", choices->clock, "real-time, free-run, scaled:F, lockstep or external")
      ->capture_default_str();
  command->add_option("--scale", choices->scale, "The F of --clock scaled: simulated seconds per second; default: 1");
  text::addPeriod(*command, "--period", choices->period_ns, "Time of a tick, e.g. 1ms or 500Hz; default: the model's");
  command->add_option("--iterations", choices->iterations, "Newton iterations of a step; default: the model's");
  command->add_option(
      "--solver", choices->solver,
      "Setting of the solver NAME=VALUE, e.g. full_newton=true; `tactus integrators` lists them at ali3p");
  command->add_option("--threads", choices->threads, "Threads that share a step; default: one");
  command->add_option("--set", choices->sets, "Parameter of the model NAME=VALUE; `tactus set` changes it later");
  command->add_option("--initial", choices->initial_condition, "Initial condition of the model");
  command->add_option("--priority", choices->priority, "Real-time priority, 0 to 99; default: the server's");
  command->add_option("--miss-limit", choices->miss_limit, "Ticks without an input after which a controller is lost");
  command->add_flag("--start", choices->start, "Start the session");
  onCall(*command, exit_code, [choices, parsers = std::move(parsers)] { return create(*choices, parsers); });
}

}  // namespace

void addSessionCommand(CLI::App& app, int& exit_code, SessionParsers parsers) {
  auto choices = std::make_shared<SessionChoices>();
  CLI::App* command = app.add_subcommand("session", "List, create and control the sessions of a running server");
  command->require_subcommand(1);

  CLI::App* listing = addRemoteCommand(*command, "list", "List the sessions", *choices);
  onCall(*listing, exit_code, [choices] {
    show(connect(*choices).sessions(), choices->json);
    return text::kExitOk;
  });
  addCreate(*command, exit_code, choices, std::move(parsers));
  addAction(*command, exit_code, choices, "start", "Start or continue a session",
            [](const Session& session, const SessionChoices&) { return session.start(); });
  addAction(*command, exit_code, choices, "pause", "Pause a session after the tick under way",
            [](const Session& session, const SessionChoices&) { return session.pause(); });
  addAction(*command, exit_code, choices, "step", "Run ticks of a session that does not run",
            [](const Session& session, const SessionChoices& chosen) { return session.step(chosen.ticks); });
  addAction(*command, exit_code, choices, "reset", "Return a session to tick 0; clears a fault",
            [](const Session& session, const SessionChoices&) { return session.reset(); });

  CLI::App* deleting = addRemoteCommand(*command, "delete", "Delete a session; its streams end", *choices);
  deleting->add_option("SESSION", choices->session, "Name of the session")->required();
  onCall(*deleting, exit_code, [choices] {
    const Client client = connect(*choices);
    client.session(choices->session).remove();
    if (choices->json)
      fmt::print("{}", text::jsonText({{"deleted", choices->session}}));
    else
      fmt::print("session {} is deleted\n", choices->session);
    return text::kExitOk;
  });
}

}  // namespace tactus::client
