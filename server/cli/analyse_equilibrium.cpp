// `tactus analyse equilibrium`: the pose at rest, its reactions, and a model that begins there.
#include "proto/text/found_report.h"
#include "proto/text/json_text.h"
#include "proto/text/report_line.h"
#include "rt/model/model.h"
#include "server/build_info.h"
#include "server/cli/analyse.h"
#include "server/cli/analysis_point.h"
#include "server/cli/equilibrium_model.h"
#include "server/cli/subcommand.h"
#include "server/wire/found_state.h"

namespace tactus::server {
namespace {

using Json = nlohmann::ordered_json;

struct EquilibriumArguments {
  PointArguments point;
  std::vector<std::string> signals;
  std::string out, name = "equilibrium";
  bool json = false;
};

v1::FoundState foundAt(const AnalysisPoint& point, rt::StateOutputs& signals) {
  v1::FoundState found;
  writeEquilibrium(*point.equilibrium, found);
  writeFoundState(point.model, point.equilibrium->state, point.input, {}, signals, found);
  return found;
}

std::string textOf(const EquilibriumArguments& arguments, const AnalysisPoint& point, const v1::FoundState& found) {
  std::string text = text::reportLine("model", "{}, {}", point.model.name, nameOfPoint(arguments.point));
  text += text::equilibriumText(found);
  if (!arguments.out.empty())
    text += '\n' + text::reportLine("written", "{}: initial condition '{}'", arguments.out, arguments.name);
  return text;
}

Json jsonOf(const EquilibriumArguments& arguments, const AnalysisPoint& point, const v1::FoundState& found) {
  Json json = {{"model", point.model.name}, {"build", madeBy()}, {"point", nameOfPoint(arguments.point)}};
  json.update(text::equilibriumJson(found));
  return json;
}

int findEquilibrium(const EquilibriumArguments& arguments) {
  requireModelFileName(arguments.out);
  PointArguments at = arguments.point;
  at.equilibrium = true;
  const std::optional<AnalysisPoint> point = openPoint(at);
  if (!point) return text::kExitUsage;
  rt::StateOutputs signals(point->model, arguments.signals);
  if (!arguments.out.empty())
    writeModelAt(arguments.out, point->document, point->model, arguments.name, point->state, point->input);
  const v1::FoundState found = foundAt(*point, signals);
  std::cout << (arguments.json ? text::jsonText(jsonOf(arguments, *point, found)) : textOf(arguments, *point, found));
  return text::hasFinding(found) ? text::kExitFinding : text::kExitOk;
}

}  // namespace

void addEquilibriumCommand(CLI::App& analyse, int& exit_code) {
  CLI::App* command = analyse.add_subcommand(
      "equilibrium",
      "The pose at rest under all loads, with its reactions; exit code 1 where it is unstable or the pose is singular");
  const auto a = std::make_shared<EquilibriumArguments>();
  addPointOptions(*command, a->point);
  command->add_option("--signals", a->signals, "Names and globs of signals to print; default: the sensors")
      ->delimiter(',');
  CLI::Option* const out = command->add_option(
      "--out", a->out,
      "Model file to write, .json or .txtpb, with the equilibrium as an initial condition and the inputs "
      "as initial values");
  command->add_option("--name", a->name, "Name of that initial condition")->capture_default_str()->needs(out);
  command->add_flag("--json", a->json, "Print JSON");
  onCall(*command, exit_code, a, findEquilibrium);
}

}  // namespace tactus::server
