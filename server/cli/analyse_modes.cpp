// `tactus analyse modes`: frequencies, damping and shapes around a state.
#include "proto/text/json_text.h"
#include "proto/text/linear_report.h"
#include "proto/text/report_line.h"
#include "rt/model/model.h"
#include "server/cli/analyse.h"
#include "server/cli/linear_report.h"
#include "server/cli/matrix_file.h"
#include "server/cli/subcommand.h"

#include <algorithm>
#include <numbers>

namespace tactus::server {
namespace {

using Json = nlohmann::ordered_json;
using rt::offline::LinearSystem;
using rt::offline::Mode;

constexpr const char* kComponents[] = {"r.x", "r.y", "r.z", "phi.x", "phi.y", "phi.z"};

struct ModesArguments {
  PointArguments point;
  std::string out;
  int count = 20;
  bool json = false;
};

std::string nameOfComponent(const rt::Model& model, Eigen::Index k) {
  return model.body_names[static_cast<std::size_t>(k / 6)] + '.' + kComponents[k % 6];
}

/// What moves most: the largest entry of the shape, else of the state.
std::string largestPart(const rt::Model& model, const LinearSystem& system, const Mode& mode) {
  Eigen::Index largest = 0;
  if (mode.shape.size() > 0 && mode.shape.cwiseAbs().maxCoeff(&largest) > 0) return nameOfComponent(model, largest);
  if (mode.state.size() == 0) return "";
  mode.state.cwiseAbs().maxCoeff(&largest);
  return system.states[static_cast<std::size_t>(largest)].name;
}

std::string textOf(const ModesArguments& arguments, const AnalysisPoint& point, const LinearSystem& system,
                   const std::vector<Mode>& modes) {
  std::string text = pointText(arguments.point, point, system);
  if (!arguments.out.empty()) text += text::reportLine("written", "{0}/modes.csv, {0}/shapes.csv", arguments.out);
  std::vector<text::ModeRow> rows;
  for (const Mode& m : modes)
    rows.push_back({toString(m), m.omega, m.damping, m.eigenvalue.real(), m.eigenvalue.imag(),
                    largestPart(point.model, system, m)});
  return text + '\n' + text::modesText(rows, static_cast<std::size_t>(arguments.count));
}

Json jsonOf(const ModesArguments& arguments, const AnalysisPoint& point, const LinearSystem& system,
            const std::vector<Mode>& modes) {
  Json json = pointJson(arguments.point, point, system);
  json["modes"] = Json::array();
  for (std::size_t k = 0; k < std::min(modes.size(), static_cast<std::size_t>(arguments.count)); ++k) {
    const Mode& m = modes[k];
    Json bodies = Json::object();
    for (int i = 0; i < point.model.bodyCount(); ++i) {
      const Eigen::VectorXcd part = m.shape.segment<6>(6 * i);
      const Eigen::VectorXd real = part.real(), imaginary = part.imag();
      bodies[point.model.body_names[static_cast<std::size_t>(i)]] = {
          {"real", std::vector<double>(real.begin(), real.end())},
          {"imaginary", std::vector<double>(imaginary.begin(), imaginary.end())}};
    }
    json["modes"].push_back({{"kind", toString(m)},
                             {"frequency", m.omega / (2 * std::numbers::pi)},
                             {"damping", m.damping},
                             {"real", m.eigenvalue.real()},
                             {"imaginary", m.eigenvalue.imag()},
                             {"shape", bodies}});
  }
  return json;
}

/// modes.csv: one row a mode. shapes.csv: one row for each displacement of a body, real and imaginary part of each
/// mode.
void writeFiles(const std::string& folder, const rt::Model& model, const std::vector<Mode>& modes) {
  requireFolder(folder);
  const auto count = static_cast<Eigen::Index>(modes.size());
  Eigen::MatrixXd figures(count, 4), shapes(6 * model.bodyCount(), 2 * count);
  std::vector<std::string> names, parts, rows;
  for (Eigen::Index k = 0; k < count; ++k) {
    const Mode& m = modes[static_cast<std::size_t>(k)];
    figures.row(k) << m.omega / (2 * std::numbers::pi), m.damping, m.eigenvalue.real(), m.eigenvalue.imag();
    shapes.col(2 * k) = m.shape.real();
    shapes.col(2 * k + 1) = m.shape.imag();
    names.push_back(std::to_string(k + 1));
    parts.push_back(names.back() + ".real");
    parts.push_back(names.back() + ".imaginary");
  }
  for (Eigen::Index k = 0; k < shapes.rows(); ++k) rows.push_back(nameOfComponent(model, k));
  writeMatrix(folder + "/modes.csv", "mode", names, {"frequency", "damping", "real", "imaginary"}, figures);
  writeMatrix(folder + "/shapes.csv", "displacement", rows, parts, shapes);
}

int findModes(const ModesArguments& arguments) {
  const std::optional<AnalysisPoint> point = openPoint(arguments.point);
  if (!point) return text::kExitUsage;
  const LinearSystem system = rt::offline::linearSystem(point->model, point->state, point->input);
  const std::vector<Mode> modes = rt::offline::modesOf(system);
  if (!arguments.out.empty()) writeFiles(arguments.out, point->model, modes);
  std::cout << (arguments.json ? text::jsonText(jsonOf(arguments, *point, system, modes))
                               : textOf(arguments, *point, system, modes));
  return unrestOf(system).rate > text::kAtRest ? text::kExitFinding : text::kExitOk;
}

}  // namespace

void addModesCommand(CLI::App& analyse, int& exit_code) {
  CLI::App* command =
      analyse.add_subcommand("modes", "Frequencies, damping and shapes; exit code 1 where the state is no equilibrium");
  const auto a = std::make_shared<ModesArguments>();
  addPointOptions(*command, a->point);
  addEquilibriumOption(*command, a->point);
  command->add_option("--count", a->count, "Modes to print, the slowest first")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  command->add_option("--out", a->out, "Folder for modes.csv and shapes.csv, with all modes");
  command->add_flag("--json", a->json, "Print JSON");
  onCall(*command, exit_code, a, findModes);
}

}  // namespace tactus::server
