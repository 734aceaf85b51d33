// `tactus analyse equilibrium`: the pose at rest, its reactions, and a model that begins there.
#include "proto/text/json_text.h"
#include "proto/text/report_line.h"
#include "proto/text/table.h"
#include "rt/mechanics/joint_constraints.h"
#include "rt/mechanics/kinematics.h"
#include "rt/model/model.h"
#include "server/build_info.h"
#include "server/cli/analyse.h"
#include "server/cli/analysis_point.h"
#include "server/cli/equilibrium_model.h"
#include "server/cli/interrupt_flag.h"
#include "server/cli/linear_report.h"
#include "server/cli/subcommand.h"

namespace tactus::server {
namespace {

using Json = nlohmann::ordered_json;
using rt::offline::Equilibrium;

struct EquilibriumArguments {
  PointArguments point;
  std::vector<std::string> signals;
  std::string out, name = "equilibrium";
  bool json = false;
};

/// Reaction on the second body of each joint: force and torque, world axes.
std::vector<rt::Load> reactionsOf(const rt::Model& model, const rt::State& state) {
  std::vector<rt::BodyMotion> motions;
  for (int i = 0; i < model.bodyCount(); ++i) motions.push_back(rt::bodyMotion(state.view(), i));
  std::vector<rt::Load> reactions;
  for (int j = 0; j < model.jointCount(); ++j)
    reactions.push_back(rt::reactionOnBody2(model, j, motions.data(), state.view().lambda()));
  return reactions;
}

std::string textOf(const EquilibriumArguments& arguments, const AnalysisPoint& point, rt::StateOutputs& signals) {
  const Equilibrium& e = *point.equilibrium;
  std::string text = text::reportLine("model", "{}, {}", point.model.name, nameOfPoint(arguments.point));
  text += text::reportLine("free motions", "{}; {} constraint rows are redundant", e.freedoms, e.redundant_rows);
  int iterations = 0;
  for (const rt::offline::EquilibriumStep& step : e.steps) iterations += step.iterations;
  text +=
      text::reportLine("load steps", "{} with {} iterations, {} halved", e.steps.size(), iterations, e.failed_steps);
  text += text::reportLine("residual", "{:.2g} of the largest load; |Phi| {:.2g} m", e.residual, e.violation);
  if (e.indifferent > 0)
    text += text::reportLine("indifferent", "{} free motions have no stiffness and keep their place", e.indifferent);
  text += text::reportLine("stability", "{}",
                           e.unstable == 0 ? "no direction in which the loads pull away"
                                           : fmt::format("unstable in {} directions", e.unstable));
  if (e.singular_rank)
    text += text::reportLine("singular pose",
                             "the constraint rows have rank {} here and {} where the search begins: free motions, "
                             "stability and reactions are not determined",
                             *e.singular_rank, e.rank_at_start);
  if (e.redundant_rows > 0) text += "reactions of redundant rows are one of many solutions: the smallest multipliers\n";
  const std::vector<rt::Load> reactions = reactionsOf(point.model, e.state);
  text::Table table({"joint", "force x N", "y", "z", "torque x N m", "y", "z"}, "lrrrrrr");
  for (std::size_t j = 0; j < reactions.size(); ++j) {
    std::vector<std::string> cells = {point.model.joint_names[j]};
    for (const double value : reactions[j].force) cells.push_back(fmt::format("{:.6g}", value));
    for (const double value : reactions[j].torque) cells.push_back(fmt::format("{:.6g}", value));
    table.add(cells);
  }
  text += "\nreactions on the second body\n" + table.text();
  if (signals.size() > 0) {
    const Eigen::VectorXd values = signals.read(e.state);
    text::Table shown({"signal", "value", "unit"}, "lrl");
    for (std::size_t k = 0; k < signals.size(); ++k)
      shown.add({signals.signal(k).name, fmt::format("{:.8g}", values[static_cast<Eigen::Index>(k)]),
                 signals.signal(k).unit});
    text += '\n' + shown.text();
  }
  if (!arguments.out.empty())
    text += '\n' + text::reportLine("written", "{}: initial condition '{}'", arguments.out, arguments.name);
  return text;
}

Json jsonOf(const EquilibriumArguments& arguments, const AnalysisPoint& point, rt::StateOutputs& signals) {
  const Equilibrium& e = *point.equilibrium;
  Json json = {{"model", point.model.name},
               {"build", madeBy()},
               {"point", nameOfPoint(arguments.point)},
               {"free_motions", e.freedoms},
               {"redundant_rows", e.redundant_rows},
               {"residual", e.residual},
               {"violation", e.violation},
               {"indifferent", e.indifferent},
               {"unstable", e.unstable},
               {"singular", e.singular_rank.has_value()},
               {"rank_at_start", e.rank_at_start},
               {"rank", e.singular_rank.value_or(e.rank_at_start)},
               {"failed_steps", e.failed_steps}};
  json["steps"] = Json::array();
  for (const rt::offline::EquilibriumStep& step : e.steps)
    json["steps"].push_back({{"share", step.share}, {"iterations", step.iterations}, {"residual", step.residual}});
  json["bodies"] = Json::object();
  for (int i = 0; i < point.model.bodyCount(); ++i) {
    const rt::Vector3d r = e.state.view().r(i);
    const rt::Vector4d p = e.state.view().p(i);
    json["bodies"][point.model.body_names[static_cast<std::size_t>(i)]] = {
        {"position", std::vector<double>(r.begin(), r.end())},
        {"orientation", std::vector<double>(p.begin(), p.end())}};
  }
  const std::vector<rt::Load> reactions = reactionsOf(point.model, e.state);
  json["reactions"] = Json::object();
  for (std::size_t j = 0; j < reactions.size(); ++j)
    json["reactions"][point.model.joint_names[j]] = {
        {"force", std::vector<double>(reactions[j].force.begin(), reactions[j].force.end())},
        {"torque", std::vector<double>(reactions[j].torque.begin(), reactions[j].torque.end())}};
  json["signals"] = Json::object();
  const Eigen::VectorXd values = signals.read(e.state);
  for (std::size_t k = 0; k < signals.size(); ++k)
    json["signals"][signals.signal(k).name] = values[static_cast<Eigen::Index>(k)];
  return json;
}

int findEquilibrium(const EquilibriumArguments& arguments) {
  requireModelFileName(arguments.out);
  const InterruptFlag interrupt;
  PointArguments at = arguments.point;
  at.equilibrium = true;
  const std::optional<AnalysisPoint> point = openPoint(at, interrupt.flag());
  if (!point) return text::kExitUsage;
  rt::StateOutputs signals(point->model, arguments.signals);
  if (!arguments.out.empty())
    writeModelAt(arguments.out, point->document, point->model, arguments.name, point->state, point->input);
  std::cout << (arguments.json ? text::jsonText(jsonOf(arguments, *point, signals))
                               : textOf(arguments, *point, signals));
  const bool finding = point->equilibrium->unstable > 0 || point->equilibrium->singular_rank;
  return finding ? text::kExitFinding : text::kExitOk;
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
  command->add_option(
      "--out", a->out,
      "Model file to write, .json or .txtpb, with the equilibrium as an initial condition and the inputs "
      "as initial values");
  command->add_option("--name", a->name, "Name of that initial condition")->capture_default_str();
  command->add_flag("--json", a->json, "Print JSON");
  onCall(*command, exit_code, a, findEquilibrium);
}

}  // namespace tactus::server
