// `tactus analyse response`: the frequency response from the inputs to the outputs.
#include "proto/text/json_text.h"
#include "proto/text/linear_report.h"
#include "proto/text/report_line.h"
#include "proto/text/table.h"
#include "rt/model/model.h"
#include "rt/offline/analysis/frequency_response.h"
#include "server/cli/analyse.h"
#include "server/cli/linear_report.h"
#include "server/cli/matrix_file.h"
#include "server/cli/subcommand.h"

#include <cmath>
#include <complex>
#include <numbers>

namespace tactus::server {
namespace {

using Json = nlohmann::ordered_json;
using rt::offline::LinearSystem;

struct ResponseArguments {
  PointArguments point;
  std::vector<std::string> outputs;
  std::string out;
  double from = 0.1, to = 100;
  int points = 25;
  bool json = false;
};

/// A frequency, Hz, and the response there.
struct Response {
  double frequency;
  Eigen::MatrixXcd G;
};

std::vector<Response> respond(const ResponseArguments& arguments, const LinearSystem& system) {
  std::vector<double> omega;
  if (arguments.points == 1 && arguments.from < arguments.to)
    throw Error("--points 1: the frequencies from --from to --to are at least two");
  for (int k = 0; k < arguments.points; ++k) {
    const double share = arguments.points > 1 ? static_cast<double>(k) / (arguments.points - 1) : 0;
    omega.push_back(2 * std::numbers::pi * arguments.from * std::pow(arguments.to / arguments.from, share));
  }
  const std::vector<Eigen::MatrixXcd> G = rt::offline::frequencyResponse(system, omega);
  std::vector<Response> responses;
  for (std::size_t k = 0; k < omega.size(); ++k) responses.push_back({omega[k] / (2 * std::numbers::pi), G[k]});
  return responses;
}

double degrees(const std::complex<double>& g) {
  return std::arg(g) * 180 / std::numbers::pi;
}

std::string textOf(const ResponseArguments& arguments, const AnalysisPoint& point, const LinearSystem& system,
                   const rt::StateOutputs& outputs, const std::vector<Response>& responses) {
  std::string text = pointText(arguments.point, point, system);
  if (!arguments.out.empty()) text += text::reportLine("written", "{}/response.csv", arguments.out);
  text::Table table({"input", "output", "frequency Hz", "gain", "phase deg"}, "llrrr");
  for (std::size_t i = 0; i < system.inputs.size(); ++i)
    for (std::size_t o = 0; o < outputs.size(); ++o)
      for (const Response& r : responses) {
        const std::complex<double> g = r.G(static_cast<Eigen::Index>(o), static_cast<Eigen::Index>(i));
        table.add({system.inputs[i], outputs.signal(o).name, fmt::format("{:.6g}", r.frequency),
                   fmt::format("{:.6g}", std::abs(g)), fmt::format("{:.2f}", degrees(g))});
      }
  return text + '\n' + table.text();
}

Json jsonOf(const ResponseArguments& arguments, const AnalysisPoint& point, const LinearSystem& system,
            const rt::StateOutputs& outputs, const std::vector<Response>& responses) {
  Json json = pointJson(arguments.point, point, system);
  json["inputs"] = system.inputs;
  json["outputs"] = outputNames(outputs);
  json["response"] = Json::array();
  for (const Response& r : responses)
    json["response"].push_back(
        {{"frequency", r.frequency}, {"real", toJson(r.G.real())}, {"imaginary", toJson(r.G.imag())}});
  return json;
}

/// One row a frequency; gain and phase (degrees) of each pair of input and output.
void writeFile(const ResponseArguments& arguments, const LinearSystem& system, const rt::StateOutputs& outputs,
               const std::vector<Response>& responses) {
  requireFolder(arguments.out);
  std::vector<std::string> rows, columns;
  for (const std::string& input : system.inputs)
    for (const std::string& output : outputNames(outputs)) {
      columns.push_back("gain " + input + " to " + output);
      columns.push_back("phase " + input + " to " + output);
    }
  Eigen::MatrixXd values(static_cast<Eigen::Index>(responses.size()), static_cast<Eigen::Index>(columns.size()));
  for (std::size_t k = 0; k < responses.size(); ++k) {
    rows.push_back(fmt::format("{:.17g}", responses[k].frequency));
    const Eigen::MatrixXcd& G = responses[k].G;
    for (Eigen::Index c = 0; c < G.size(); ++c) {
      values(static_cast<Eigen::Index>(k), 2 * c) = std::abs(G.reshaped()[c]);
      values(static_cast<Eigen::Index>(k), 2 * c + 1) = degrees(G.reshaped()[c]);
    }
  }
  writeMatrix(arguments.out + "/response.csv", "frequency", rows, columns, values);
}

int findResponse(const ResponseArguments& arguments) {
  if (!(arguments.from > 0) || !(arguments.to >= arguments.from) || !std::isfinite(2 * std::numbers::pi * arguments.to))
    throw Error(fmt::format("--from {:g} --to {:g}: frequencies must be finite, above zero and rise", arguments.from,
                            arguments.to));
  const std::optional<AnalysisPoint> point = openPoint(arguments.point);
  if (!point) return text::kExitUsage;
  rt::StateOutputs outputs(point->model, arguments.outputs);
  if (point->model.actuatorCount() == 0 || outputs.size() == 0)
    throw Error("model '" + point->model.name + "' has no " +
                (outputs.size() == 0 ? "outputs: it has no sensors; name signals with --outputs"
                                     : "inputs: a response needs an actuator"));
  const LinearSystem system = linearizeAt(*point, outputs);
  const std::vector<Response> responses = respond(arguments, system);
  if (!arguments.out.empty()) writeFile(arguments, system, outputs, responses);
  std::cout << (arguments.json ? text::jsonText(jsonOf(arguments, *point, system, outputs, responses))
                               : textOf(arguments, *point, system, outputs, responses));
  return unrestOf(system).rate > text::kAtRest ? text::kExitFinding : text::kExitOk;
}

}  // namespace

void addResponseCommand(CLI::App& analyse, int& exit_code) {
  CLI::App* command = analyse.add_subcommand(
      "response", "Frequency response of outputs to inputs; exit code 1 where the state is no equilibrium");
  const auto a = std::make_shared<ResponseArguments>();
  addPointOptions(*command, a->point);
  addEquilibriumOption(*command, a->point);
  command->add_option("--outputs", a->outputs, "Names and globs of signals; default: the sensors")->delimiter(',');
  command->add_option("--from", a->from, "Lowest frequency, Hz")->capture_default_str();
  command->add_option("--to", a->to, "Highest frequency, Hz")->capture_default_str();
  command->add_option("--points", a->points, "Frequencies, equal steps of their logarithm")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command->add_option("--out", a->out, "Folder for response.csv");
  command->add_flag("--json", a->json, "Print JSON");
  onCall(*command, exit_code, a, findResponse);
}

}  // namespace tactus::server
