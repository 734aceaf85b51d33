#include "clients/cli/analyse_session.h"

#include "clients/cli/analyse_session_search.h"
#include "clients/cli/remote.h"
#include "proto/text/above_zero.h"
#include "proto/text/json_text.h"
#include "proto/text/linear_report.h"
#include "proto/text/report_line.h"
#include "proto/text/table.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cmath>
#include <complex>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

namespace tactus::client {
namespace {

using Json = nlohmann::ordered_json;
using Variables = google::protobuf::RepeatedPtrField<v1::LinearVariable>;
using Numbers = google::protobuf::RepeatedField<double>;

struct AnalyseChoices : RemoteChoices {
  std::vector<std::string> outputs, inputs;
  bool modes = false, equilibrium = false;
  int load_steps = 1;
  double from = 0, to = 0;
  int points = 25;
};

std::vector<std::string> namesOf(const Variables& variables) {
  std::vector<std::string> names;
  for (const v1::LinearVariable& variable : variables) names.push_back(variable.name());
  return names;
}

v1::AnalyseRequest requestOf(const AnalyseChoices& choices) {
  v1::AnalyseRequest request;
  request.mutable_outputs()->Assign(choices.outputs.begin(), choices.outputs.end());
  request.mutable_inputs()->Assign(choices.inputs.begin(), choices.inputs.end());
  request.set_modes(choices.modes);
  if (choices.equilibrium) {
    request.mutable_equilibrium()->set_load_steps(static_cast<std::uint32_t>(choices.load_steps));
    request.set_linearize(true);
  }
  if (choices.points == 1 && choices.from < choices.to)
    throw refused("--points", "the frequencies from --from to --to are at least two", "give 2 or more");
  for (int k = 0; choices.to > 0 && k < choices.points; ++k) {
    const double share = choices.points > 1 ? static_cast<double>(k) / (choices.points - 1) : 0;
    request.add_frequencies(choices.from * std::pow(choices.to / choices.from, share));
  }
  return request;
}

std::string matrixText(const char* name, const std::vector<std::string>& rows, const std::vector<std::string>& columns,
                       const Numbers& values) {
  const int width = static_cast<int>(columns.size());
  return text::matrixText(
      name, rows, columns, [&](int r, int c) { return values[r * width + c]; }, "--json prints it");
}

std::string modesText(const v1::AnalyseResponse& answer) {
  std::vector<text::ModeRow> rows;
  for (const v1::LinearMode& mode : answer.modes())
    rows.push_back({mode.kind(), mode.omega(), mode.damping(), mode.real(), mode.imaginary(), {}});
  return text::modesText(rows, rows.size()) + '\n';
}

std::string responseText(const v1::AnalyseResponse& answer) {
  text::Table table({"input", "output", "frequency Hz", "gain", "phase deg"}, "llrrr");
  for (int i = 0; i < answer.inputs_size(); ++i)
    for (int o = 0; o < answer.outputs_size(); ++o)
      for (const v1::LinearResponse& at : answer.responses()) {
        const int k = o * answer.inputs_size() + i;
        const std::complex<double> g(at.real(k), at.imaginary(k));
        table.add({answer.inputs(i).name(), answer.outputs(o).name(), fmt::format("{:.6g}", at.frequency()),
                   fmt::format("{:.6g}", std::abs(g)), fmt::format("{:.2f}", std::arg(g) * 180 / std::numbers::pi)});
      }
  return table.text() + '\n';
}

std::string textOf(const std::string& session, const AnalyseChoices& choices, const v1::AnalyseResponse& answer) {
  std::string text = text::reportLine("session", "{}{} at tick {}, {:.9g} s, state hash {}",
                                      choices.equilibrium ? "the static equilibrium near " : "", session, answer.tick(),
                                      1e-9 * static_cast<double>(answer.sim_time_ns()), answer.state_hash());
  const int internal = answer.states_size() - 2 * static_cast<int>(answer.coordinates());
  text += text::reportLine("states", "{}: {} coordinates, their rates, {} internal states", answer.states_size(),
                           answer.coordinates(), internal);
  text += text::reportLine("constraint rows", "{}, of which {} are redundant", answer.constraint_rows(),
                           answer.redundant_rows());
  if (answer.largest_rate() > text::kAtRest)
    text += text::reportLine(
        "no equilibrium",
        "a state or a drive changes by {:.3g} a second; the linear system holds for a short "
        "time only, and its eigenvalues depend on the coordinates (--equilibrium finds a point at rest)",
        answer.largest_rate());
  text += text::reportLine("inputs", "{}", answer.inputs_size());
  text += text::reportLine("outputs", "{}{}\n", answer.outputs_size(),
                           answer.outputs_size() == 0 ? " (the model has no sensors; --outputs names signals)" : "");
  if (choices.modes) text += modesText(answer);
  if (answer.responses_size() > 0) text += (choices.modes ? "\n" : "") + responseText(answer);
  if (choices.modes || answer.responses_size() > 0) return text;
  const std::vector<std::string> states = namesOf(answer.states()), inputs = namesOf(answer.inputs()),
                                 outputs = namesOf(answer.outputs());
  return text + matrixText("A", states, states, answer.a()) + matrixText("B", states, inputs, answer.b()) +
         matrixText("C", outputs, states, answer.c()) + matrixText("D", outputs, inputs, answer.d());
}

Json tableJson(const Numbers& values, int rows) {
  Json table = Json::array();
  const int width = rows > 0 ? values.size() / rows : 0;
  for (int r = 0; r < rows; ++r)
    table.push_back(std::vector<double>(values.begin() + r * width, values.begin() + (r + 1) * width));
  return table;
}

Json variablesJson(const Variables& variables, bool rates) {
  Json list = Json::array();
  for (const v1::LinearVariable& variable : variables) {
    Json one = {{"name", variable.name()}, {"unit", variable.unit()}, {"value", variable.value()}};
    if (rates) one["rate"] = variable.rate();
    list.push_back(std::move(one));
  }
  return list;
}

Json jsonOf(const std::string& session, const v1::AnalyseResponse& answer) {
  const int states = answer.states_size(), outputs = answer.outputs_size();
  Json json = {{"session", session},
               {"tick", answer.tick()},
               {"sim_time_ns", answer.sim_time_ns()},
               {"state_hash", answer.state_hash()},
               {"constraint_rows", answer.constraint_rows()},
               {"redundant_rows", answer.redundant_rows()},
               {"coordinates", answer.coordinates()},
               {"largest_rate", answer.largest_rate()},
               {"equilibrium", answer.largest_rate() <= text::kAtRest},
               {"states", variablesJson(answer.states(), true)},
               {"inputs", variablesJson(answer.inputs(), false)},
               {"outputs", variablesJson(answer.outputs(), false)},
               {"A", tableJson(answer.a(), states)},
               {"B", tableJson(answer.b(), states)},
               {"C", tableJson(answer.c(), outputs)},
               {"D", tableJson(answer.d(), outputs)}};
  for (const v1::LinearMode& mode : answer.modes())
    json["modes"].push_back({{"kind", mode.kind()},
                             {"frequency", mode.omega() / (2 * std::numbers::pi)},
                             {"damping", mode.damping()},
                             {"real", mode.real()},
                             {"imaginary", mode.imaginary()}});
  for (const v1::LinearResponse& at : answer.responses())
    json["response"].push_back({{"frequency", at.frequency()},
                                {"real", tableJson(at.real(), outputs)},
                                {"imaginary", tableJson(at.imaginary(), outputs)}});
  return json;
}

int analyseSession(const AnalyseChoices& choices) {
  if (choices.from > choices.to) throw refused("--to", "must be at least --from");
  const Client client = connect(choices);
  const Session session = chooseSession(client, choices.session);
  const v1::AnalyseResponse answer = session.analyse(requestOf(choices));
  fmt::print("{}",
             choices.json ? text::jsonText(jsonOf(session.name(), answer)) : textOf(session.name(), choices, answer));
  const bool needs_equilibrium = choices.modes || answer.responses_size() > 0;
  return needs_equilibrium && answer.largest_rate() > text::kAtRest ? text::kExitFinding : text::kExitOk;
}

}  // namespace

void addAnalyseSessionCommand(CLI::App& analyse, int& exit_code, const AssignmentParser& parse) {
  auto choices = std::make_shared<AnalyseChoices>();
  CLI::App* command = addRemoteCommand(
      analyse, "session", "The linear system of a running session about its newest tick, its modes, its response",
      *choices);
  addSessionOption(*command, *choices);
  command->add_option("--outputs", choices->outputs, "Names and globs of signals; default: the sensors")
      ->delimiter(',');
  command->add_option("--inputs", choices->inputs, "Names and globs of actuators; default: all")->delimiter(',');
  command->add_flag("--modes", choices->modes, "Find the modes");
  CLI::Option* rest =
      command->add_flag("--equilibrium", choices->equilibrium,
                        "Find the static equilibrium first, and analyze it in place of the newest tick");
  command->add_option("--load-steps", choices->load_steps, "Steps in which it raises weight, forces and torques")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str()
      ->needs(rest);
  CLI::Option* from =
      command->add_option("--from", choices->from, "Lowest frequency of the response, Hz")->check(text::aboveZero());
  CLI::Option* to =
      command->add_option("--to", choices->to, "Highest frequency of the response, Hz")->check(text::aboveZero());
  from->needs(to);
  to->needs(from);
  command->add_option("--points", choices->points, "Frequencies, equal steps of their logarithm")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str()
      ->needs(from);
  addSessionSearchCommands(*command, exit_code, parse, choices);
  for (CLI::App* search : command->get_subcommands({}))
    for (const char* const option : {"--outputs", "--inputs", "--modes", "--equilibrium", "--from", "--points"})
      search->excludes(command->get_option(option));
  onCall(*command, exit_code, [command, choices, &exit_code] {
    // A search below it has run already.
    return command->get_subcommands().empty() ? analyseSession(*choices) : exit_code;
  });
}

}  // namespace tactus::client
