#include "clients/cli/analyse_session_search.h"

#include "clients/cli/remote.h"
#include "clients/cli/snapshot.h"
#include "proto/text/found_report.h"
#include "proto/text/json_text.h"
#include "proto/text/report_line.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace tactus::client {
namespace {

using Json = nlohmann::ordered_json;
using NamedValues = google::protobuf::RepeatedPtrField<v1::NamedValue>;

struct SearchChoices : RemoteChoices {
  bool trim = false, from_equilibrium = false, moving = false, restore = false;
  int load_steps = 1;
  std::vector<std::string> inputs, require, free, signals;
  std::string out;
};

void addValues(const std::vector<std::string>& words, const AssignmentParser& parse, NamedValues& values) {
  for (const std::string& word : words) {
    try {
      const auto [name, number] = parse(word);
      v1::NamedValue& value = *values.Add();
      value.set_name(name);
      value.set_value(number);
    } catch (const std::exception& error) { throw ClientError(grpc::StatusCode::INVALID_ARGUMENT, error.what(), {}); }
  }
}

v1::AnalyseRequest searchRequest(const SearchChoices& choices, const AssignmentParser& parse) {
  v1::AnalyseRequest request;
  request.mutable_outputs()->Assign(choices.signals.begin(), choices.signals.end());
  addValues(choices.inputs, parse, *request.mutable_input_values());
  if (!choices.trim || choices.from_equilibrium)
    request.mutable_equilibrium()->set_load_steps(static_cast<std::uint32_t>(choices.load_steps));
  if (!choices.trim) return request;
  v1::TrimSearch& trim = *request.mutable_trim();
  addValues(choices.require, parse, *trim.mutable_require());
  trim.mutable_free()->Assign(choices.free.begin(), choices.free.end());
  trim.set_moving(choices.moving);
  return request;
}

std::string searchText(const std::string& session, const SearchChoices& choices, const v1::AnalyseResponse& answer) {
  const v1::FoundState& found = answer.found();
  std::string text = text::reportLine("session", "{}, {} from tick {}, {:.9g} s, state hash {}", session,
                                      choices.trim ? "trimmed" : "searched", answer.tick(),
                                      1e-9 * static_cast<double>(answer.sim_time_ns()), answer.state_hash());
  if (found.has_equilibrium()) text += text::equilibriumText(found);
  if (found.has_trim()) text += text::trimText(found, choices.moving);
  if (!choices.out.empty()) text += '\n' + text::reportLine("written", "{}: a snapshot of this state", choices.out);
  return text;
}

Json searchJson(const std::string& session, const v1::AnalyseResponse& answer) {
  Json json = {{"session", session},
               {"tick", answer.tick()},
               {"sim_time_ns", answer.sim_time_ns()},
               {"state_hash", answer.state_hash()}};
  if (answer.found().has_equilibrium()) json.update(text::equilibriumJson(answer.found()));
  if (answer.found().has_trim()) json.update(text::trimJson(answer.found()));
  return json;
}

int searchSession(const SearchChoices& choices, const AssignmentParser& parse) {
  const v1::AnalyseRequest request = searchRequest(choices, parse);
  if (!choices.out.empty()) requireSnapshotFile(choices.out);
  const Client client = connect(choices);
  const Session session = chooseSession(client, choices.session);
  const v1::AnalyseResponse answer = session.analyse(request);
  if (!choices.out.empty()) writeSnapshotFile(answer.found().snapshot(), choices.out);
  fmt::print("{}", choices.json ? text::jsonText(searchJson(session.name(), answer))
                                : searchText(session.name(), choices, answer));
  if (choices.restore) {
    // The result is printed also where the session refuses to go there.
    session.restoreSnapshot(answer.found().snapshot());
    if (!choices.json) fmt::print("\n{}", text::reportLine("restored", "the session is there, and paused"));
  }
  return text::hasFinding(answer.found()) ? text::kExitFinding : text::kExitOk;
}

/// Takes what was chosen before the name of the command and not behind it.
void inherit(const CLI::App& command, const RemoteChoices& outer, SearchChoices& choices) {
  const auto given = [&](std::initializer_list<const char*> options) {
    return std::any_of(options.begin(), options.end(), [&](const char* option) { return command.count(option) > 0; });
  };
  if (!given({"--server"})) choices.server = outer.server;
  if (!given({"--session"})) choices.session = outer.session;
  if (!given({"--tls-ca", "--tls-cert", "--tls-key", "--token-file", "--insecure"}))
    choices.credentials = outer.credentials;
  choices.json = choices.json || outer.json;
}

CLI::App* addSearch(CLI::App& parent, int& exit_code, const AssignmentParser& parse,
                    const std::shared_ptr<const RemoteChoices>& outer, const std::shared_ptr<SearchChoices>& choices,
                    const char* name, const char* description) {
  CLI::App* command = addRemoteCommand(parent, name, description, *choices);
  addSessionOption(*command, *choices);
  command->add_option("--input", choices->inputs,
                      "Value of an actuator, NAME=VALUE; repeatable; default: that of the newest tick");
  command
      ->add_option("--load-steps", choices->load_steps,
                   "Steps in which an equilibrium raises weight, forces and torques; a step that fails is halved")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  command->add_option("--signals", choices->signals, "Names and globs of signals to print; default: the sensors")
      ->delimiter(',');
  command->add_option("--out", choices->out, "Snapshot file to write, for tactus snapshot restore");
  command->add_flag("--restore", choices->restore, "Set the session to the state that was found, and leave it paused");
  onCall(*command, exit_code, [command, choices, outer, parse] {
    inherit(*command, *outer, *choices);
    return searchSession(*choices, parse);
  });
  return command;
}

}  // namespace

void addSessionSearchCommands(CLI::App& session, int& exit_code, const AssignmentParser& parse,
                              const std::shared_ptr<const RemoteChoices>& outer) {
  addSearch(session, exit_code, parse, outer, std::make_shared<SearchChoices>(), "equilibrium",
            "The pose at rest near the newest tick, with its reactions; the session stays where it is");
  auto choices = std::make_shared<SearchChoices>();
  choices->trim = true;
  CLI::App* trim = addSearch(session, exit_code, parse, outer, choices, "trim",
                             "The state and the inputs near the newest tick at which signals have given values and the "
                             "motion is steady; the session stays where it is");
  trim->add_option("--require", choices->require, "Value of a signal, NAME=VALUE; repeatable")->required();
  trim->add_option("--free", choices->free, "Actuators whose value may change, separated by commas")->delimiter(',');
  trim->add_flag(
      "--moving", choices->moving,
      "The mechanism may move along a plane road, turn steadily and spin its wheels; default: it stays at rest");
  CLI::Option* const first =
      trim->add_flag("--equilibrium", choices->from_equilibrium, "Find the static equilibrium first, and begin there");
  trim->get_option("--load-steps")->needs(first);
}

}  // namespace tactus::client
