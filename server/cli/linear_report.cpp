#include "server/cli/linear_report.h"

#include "proto/text/linear_report.h"
#include "proto/text/report_line.h"
#include "rt/model/model.h"
#include "server/build_info.h"

namespace tactus::server {

using Json = nlohmann::ordered_json;
using rt::offline::LinearSystem;
using rt::offline::Unrest;

LinearSystem linearizeAt(const AnalysisPoint& point, rt::StateOutputs& outputs) {
  return rt::offline::linearSystem(point.model, point.state, point.input, 0, outputs.function());
}

std::string pointText(const PointArguments& arguments, const AnalysisPoint& point, const LinearSystem& system) {
  const auto internal = system.states.size() - 2 * static_cast<std::size_t>(system.coordinates);
  std::string text = text::reportLine("model", "{}, {}", point.model.name, nameOfPoint(arguments));
  text += text::reportLine("states", "{}: {} coordinates, their rates, {} internal states", system.states.size(),
                           system.coordinates, internal);
  text += text::reportLine("constraint rows", "{}, of which {} are redundant", system.rank + system.redundant_rows,
                           system.redundant_rows);
  const Unrest unrest = unrestOf(system);
  if (unrest.rate > text::kAtRest && !unrest.drive.empty())
    text += text::reportLine("no equilibrium",
                             "drive '{}' changes its rate; the linear system holds for a short time only, and its "
                             "eigenvalues depend on the time",
                             unrest.drive);
  else if (unrest.rate > text::kAtRest)
    text += text::reportLine("no equilibrium",
                             "{} changes by {:.3g} {}/s; the linear system holds for a short time only, and its "
                             "eigenvalues depend on the coordinates (--equilibrium finds a point at rest)",
                             system.states[static_cast<std::size_t>(unrest.state)].name, unrest.rate,
                             system.states[static_cast<std::size_t>(unrest.state)].unit);
  else
    text += text::reportLine("equilibrium", "{}", unrest.moves ? "a steady motion" : "at rest");
  return text;
}

Json pointJson(const PointArguments& arguments, const AnalysisPoint& point, const LinearSystem& system) {
  const Unrest unrest = unrestOf(system);
  Json states = Json::array();
  for (std::size_t k = 0; k < system.states.size(); ++k)
    states.push_back({{"name", system.states[k].name},
                      {"unit", system.states[k].unit},
                      {"value", system.state[static_cast<Eigen::Index>(k)]},
                      {"rate", system.rate[static_cast<Eigen::Index>(k)]}});
  return {{"model", point.model.name},
          {"build", madeBy()},
          {"point", nameOfPoint(arguments)},
          {"constraint_rows", system.rank + system.redundant_rows},
          {"redundant_rows", system.redundant_rows},
          {"coordinates", system.coordinates},
          {"largest_rate", unrest.rate},
          {"equilibrium", unrest.rate <= text::kAtRest},
          {"moves", unrest.moves},
          {"states", states}};
}

Json toJson(const Eigen::MatrixXd& matrix) {
  Json rows = Json::array();
  for (Eigen::Index r = 0; r < matrix.rows(); ++r) {
    Json row = Json::array();
    for (Eigen::Index c = 0; c < matrix.cols(); ++c) row.push_back(matrix(r, c));
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<std::string> stateNames(const LinearSystem& system) {
  std::vector<std::string> names;
  for (const rt::offline::LinearState& state : system.states) names.push_back(state.name);
  return names;
}

std::vector<std::string> outputNames(const rt::StateOutputs& outputs) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < outputs.size(); ++k) names.push_back(outputs.signal(k).name);
  return names;
}

}  // namespace tactus::server
