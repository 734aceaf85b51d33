// `tactus analyse trim`: the state and the inputs at which signals have given values and the motion is steady.
#include "proto/text/found_report.h"
#include "proto/text/json_text.h"
#include "proto/text/report_line.h"
#include "rt/model/check_model.h"
#include "rt/model/model.h"
#include "rt/offline/analysis/trim.h"
#include "server/build_info.h"
#include "server/cli/analyse.h"
#include "server/cli/analysis_point.h"
#include "server/cli/assignment.h"
#include "server/cli/equilibrium_model.h"
#include "server/cli/subcommand.h"
#include "server/wire/found_state.h"

#include <algorithm>
#include <cmath>

namespace tactus::server {
namespace {

using Json = nlohmann::ordered_json;
using rt::offline::Trim;
using rt::offline::TrimOptions;

struct TrimArguments {
  PointArguments point;
  std::vector<std::string> free, require, signals;
  std::string out, name = "trim";
  bool moving = false, json = false;
};

/// A signal and the value that it is to have.
struct Requirement {
  std::vector<std::string> names;
  Eigen::VectorXd values;
};

Requirement requirementOf(const std::vector<std::string>& words) {
  Requirement requirement;
  requirement.values.resize(static_cast<Eigen::Index>(words.size()));
  for (std::size_t k = 0; k < words.size(); ++k) {
    const auto [name, value] = parseAssignment(words[k]);
    if (rt::SignalDirectory::isGlob(name)) throw Error("--require " + words[k] + ": name one signal");
    if (!std::isfinite(value)) throw Error("--require " + words[k] + ": must be a finite number");
    if (std::find(requirement.names.begin(), requirement.names.end(), name) != requirement.names.end())
      throw Error("--require " + words[k] + ": the signal is required twice");
    requirement.names.push_back(name);
    requirement.values[static_cast<Eigen::Index>(k)] = value;
  }
  return requirement;
}

std::vector<int> freeInputs(const rt::Model& model, const std::vector<std::string>& names) {
  std::vector<int> indices;
  for (const std::string& name : names) {
    const auto found = std::find(model.actuator_names.begin(), model.actuator_names.end(), name);
    if (found == model.actuator_names.end()) {
      const std::string nearest = rt::nearestName(name, model.actuator_names);
      throw Error("--free " + name + ": model '" + model.name + "' has no such actuator" +
                  (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
    }
    const auto index = static_cast<int>(found - model.actuator_names.begin());
    if (std::find(indices.begin(), indices.end(), index) != indices.end())
      throw Error("--free " + name + ": is named twice");
    indices.push_back(index);
  }
  return indices;
}

v1::FoundState foundAt(const AnalysisPoint& point, const Trim& trim, const TrimOptions& options,
                       rt::StateOutputs& signals) {
  v1::FoundState found;
  writeTrim(trim, found);
  writeFoundState(point.model, trim.state, trim.input, options.free_inputs, signals, found);
  return found;
}

std::string textOf(const TrimArguments& arguments, const AnalysisPoint& point, const v1::FoundState& found) {
  std::string text = text::reportLine("model", "{}, trimmed from {}", point.model.name, nameOfPoint(arguments.point));
  text += text::trimText(found, arguments.moving);
  if (!arguments.out.empty())
    text += '\n' + text::reportLine("written", "{}: initial condition '{}'", arguments.out, arguments.name);
  return text;
}

Json jsonOf(const TrimArguments& arguments, const AnalysisPoint& point, const v1::FoundState& found) {
  Json json = {{"model", point.model.name}, {"build", madeBy()}, {"point", nameOfPoint(arguments.point)}};
  json.update(text::trimJson(found));
  return json;
}

/// The first input that is beyond its range, or "".
std::string beyondRange(const rt::Model& model, const std::vector<double>& input) {
  for (std::size_t k = 0; k < input.size(); ++k)
    if (input[k] < model.actuators[k].minimum || input[k] > model.actuators[k].maximum) return model.actuator_names[k];
  return "";
}

int trimModel(const TrimArguments& arguments) {
  requireModelFileName(arguments.out);
  const std::optional<AnalysisPoint> point = openPoint(arguments.point);
  if (!point) return text::kExitUsage;
  const Requirement requirement = requirementOf(arguments.require);
  rt::StateOutputs required(point->model, requirement.names);
  std::vector<std::string> shown = requirement.names;
  shown.insert(shown.end(), arguments.signals.begin(), arguments.signals.end());
  rt::StateOutputs signals(point->model, shown);
  TrimOptions options;
  options.free_inputs = freeInputs(point->model, arguments.free);
  options.wanted = requirement.values;
  options.names = required.namesWithUnits();
  options.at_rest = !arguments.moving;
  const Trim trim = rt::offline::findTrim(
      point->model, point->state, point->input, [&](const rt::State& state) { return required.read(state); }, options);
  const v1::FoundState found = foundAt(*point, trim, options, signals);
  TrimArguments shown_as = arguments;
  // A model cannot hold an input beyond its range. The trim is printed nevertheless.
  const std::string beyond = arguments.out.empty() ? "" : beyondRange(point->model, trim.input);
  if (!beyond.empty())
    shown_as.out.clear();
  else if (!arguments.out.empty())
    writeModelAt(arguments.out, point->document, point->model, arguments.name, trim.state, trim.input);
  std::cout << (arguments.json ? text::jsonText(jsonOf(shown_as, *point, found)) : textOf(shown_as, *point, found));
  if (!beyond.empty())
    std::cerr << "tactus analyse trim: --out " << arguments.out << ": not written: input '" << beyond
              << "' is beyond its range, which a model cannot hold\n";
  return text::hasFinding(found) ? text::kExitFinding : text::kExitOk;
}

}  // namespace

void addTrimCommand(CLI::App& analyse, int& exit_code) {
  CLI::App* command = analyse.add_subcommand(
      "trim", "The state and the inputs at which signals have given values and the motion is steady");
  const auto a = std::make_shared<TrimArguments>();
  addPointOptions(*command, a->point);
  addEquilibriumOption(*command, a->point);
  command->add_option("--require", a->require, "Value of a signal, NAME=VALUE; repeatable")->required();
  command->add_option("--free", a->free, "Actuators whose value may change, separated by commas")->delimiter(',');
  command->add_flag(
      "--moving", a->moving,
      "The mechanism may move along a plane road, turn steadily and spin its wheels; default: it stays at rest");
  command->add_option("--signals", a->signals, "Names and globs of further signals to print")->delimiter(',');
  CLI::Option* const out =
      command->add_option("--out", a->out, "Model file to write, with the trim as an initial condition");
  command->add_option("--name", a->name, "Name of that initial condition")->capture_default_str()->needs(out);
  command->add_flag("--json", a->json, "Print JSON");
  onCall(*command, exit_code, a, trimModel);
}

}  // namespace tactus::server
