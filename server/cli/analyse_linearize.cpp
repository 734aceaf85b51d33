// `tactus analyse linearize`: A, B, C, D around a state.
#include "proto/text/json_text.h"
#include "proto/text/linear_report.h"
#include "proto/text/report_line.h"
#include "server/cli/analyse.h"
#include "server/cli/linear_report.h"
#include "server/cli/matrix_file.h"
#include "server/cli/subcommand.h"

namespace tactus::server {
namespace {

using Json = nlohmann::ordered_json;
using rt::offline::LinearSystem;

struct LinearizeArguments {
  PointArguments point;
  std::vector<std::string> outputs;
  std::string out;
  bool json = false;
};

std::string matrixText(const char* name, const std::vector<std::string>& rows, const std::vector<std::string>& columns,
                       const Eigen::MatrixXd& values) {
  return text::matrixText(
      name, rows, columns, [&](int r, int c) { return values(r, c); }, "--json prints it, --out DIR writes it");
}

void writeFiles(const std::string& folder, const LinearSystem& system, const rt::StateOutputs& outputs) {
  requireFolder(folder);
  const std::vector<std::string> states = stateNames(system), signals = outputNames(outputs);
  writeMatrix(folder + "/A.csv", "rate of", states, states, system.A);
  writeMatrix(folder + "/B.csv", "rate of", states, system.inputs, system.B);
  writeMatrix(folder + "/C.csv", "output", signals, states, system.C);
  writeMatrix(folder + "/D.csv", "output", signals, system.inputs, system.D);
  Eigen::MatrixXd point(system.state.size(), 2);
  point << system.state, system.rate;
  writeMatrix(folder + "/state.csv", "state", states, {"value", "rate"}, point);
}

std::string textOf(const LinearizeArguments& arguments, const AnalysisPoint& point, const LinearSystem& system,
                   const rt::StateOutputs& outputs) {
  std::string text = pointText(arguments.point, point, system);
  text += text::reportLine("inputs", "{}", system.inputs.size());
  text += text::reportLine("outputs", "{}{}", outputs.size(),
                           outputs.size() == 0 ? " (the model has no sensors; --outputs names signals)" : "");
  if (!arguments.out.empty())
    text += text::reportLine("written", "{}/A.csv, B.csv, C.csv, D.csv, state.csv", arguments.out);
  const std::vector<std::string> states = stateNames(system), signals = outputNames(outputs);
  text += '\n';
  text += matrixText("A", states, states, system.A);
  text += matrixText("B", states, system.inputs, system.B);
  text += matrixText("C", signals, states, system.C);
  return text + matrixText("D", signals, system.inputs, system.D);
}

Json jsonOf(const LinearizeArguments& arguments, const AnalysisPoint& point, const LinearSystem& system,
            const rt::StateOutputs& outputs) {
  Json json = pointJson(arguments.point, point, system);
  json["inputs"] = system.inputs;
  json["outputs"] = Json::array();
  for (std::size_t k = 0; k < outputs.size(); ++k)
    json["outputs"].push_back({{"name", outputs.signal(k).name},
                               {"unit", outputs.signal(k).unit},
                               {"value", system.output[static_cast<Eigen::Index>(k)]}});
  json["A"] = toJson(system.A);
  json["B"] = toJson(system.B);
  json["C"] = toJson(system.C);
  json["D"] = toJson(system.D);
  return json;
}

int linearizeModel(const LinearizeArguments& arguments) {
  const std::optional<AnalysisPoint> point = openPoint(arguments.point);
  if (!point) return text::kExitUsage;
  rt::StateOutputs outputs(point->model, arguments.outputs);
  const LinearSystem system = linearizeAt(*point, outputs);
  if (!arguments.out.empty()) writeFiles(arguments.out, system, outputs);
  std::cout << (arguments.json ? text::jsonText(jsonOf(arguments, *point, system, outputs))
                               : textOf(arguments, *point, system, outputs));
  return text::kExitOk;
}

}  // namespace

void addLinearizeCommand(CLI::App& analyse, int& exit_code) {
  CLI::App* command = analyse.add_subcommand("linearize", "The matrices A, B, C, D around a state");
  const auto a = std::make_shared<LinearizeArguments>();
  addPointOptions(*command, a->point);
  addEquilibriumOption(*command, a->point);
  command->add_option("--outputs", a->outputs, "Names and globs of signals; default: the sensors")->delimiter(',');
  command->add_option("--out", a->out, "Folder for A.csv, B.csv, C.csv, D.csv and state.csv");
  command->add_flag("--json", a->json, "Print JSON");
  onCall(*command, exit_code, a, linearizeModel);
}

}  // namespace tactus::server
