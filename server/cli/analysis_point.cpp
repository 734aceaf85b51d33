#include "server/cli/analysis_point.h"

#include "rt/error.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/check_model.h"
#include "rt/model/model.h"
#include "rt/state/actuator_input.h"
#include "server/cli/assignment.h"
#include "server/cli/model_argument.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tactus::server {
namespace {

/// The initial values of the actuators, but for those that the command line gives.
std::vector<double> inputOf(const rt::Model& model, const std::vector<std::string>& assignments) {
  std::vector<double> values = rt::ActuatorInput(model).values;
  for (const std::string& word : assignments) {
    const auto [name, value] = parseAssignment(word);
    const auto found = std::find(model.actuator_names.begin(), model.actuator_names.end(), name);
    if (found == model.actuator_names.end()) {
      const std::string nearest = rt::nearestName(name, model.actuator_names);
      throw Error("--input " + word + ": model '" + model.name + "' has no actuator '" + name + "'" +
                  (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
    }
    const auto k = static_cast<std::size_t>(found - model.actuator_names.begin());
    if (!std::isfinite(value) || value < model.actuators[k].minimum || value > model.actuators[k].maximum)
      throw Error(fmt::format("--input {}: must be from {:g} to {:g}", word, model.actuators[k].minimum,
                              model.actuators[k].maximum));
    values[k] = value;
  }
  return values;
}

}  // namespace

void addPointOptions(CLI::App& command, PointArguments& arguments) {
  addModelArgument(command, arguments.model)->required();
  command.add_option("--initial", arguments.initial, "Named initial condition of the model");
  command.add_option("--set", arguments.sets, "Parameter of the model, NAME=VALUE; repeatable");
  command.add_option("--input", arguments.inputs,
                     "Value of an actuator, NAME=VALUE; repeatable; default: its initial value");
  command
      .add_option("--load-steps", arguments.load_steps,
                  "Steps in which an equilibrium raises weight, forces and torques; a step that fails is halved")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
}

void addEquilibriumOption(CLI::App& command, PointArguments& arguments) {
  CLI::Option* const first =
      command.add_flag("--equilibrium", arguments.equilibrium,
                       "Find the static equilibrium first, and analyze it in place of the initial state");
  command.get_option("--load-steps")->needs(first);
}

std::optional<AnalysisPoint> openPoint(const PointArguments& arguments) {
  std::optional<ModelDocument> document = openValidModel(arguments.model);
  if (!document) return std::nullopt;
  if (!arguments.sets.empty()) {
    *document = withParameters(*document, arguments.sets);
    printFindings(*document, arguments.model);
    if (!document->valid()) return std::nullopt;
  }
  AnalysisPoint point;
  point.document = std::move(*document);
  point.model = rt::buildModel(point.document.spec);
  point.input = inputOf(point.model, arguments.inputs);
  rt::ActuatorInput input(point.model);
  input.values = point.input;
  point.state = rt::initialState(point.model, rt::findInitialCondition(point.model, arguments.initial), input).state;
  if (arguments.equilibrium) {
    rt::offline::EquilibriumOptions options;
    options.load_steps = arguments.load_steps;
    point.equilibrium = rt::offline::findEquilibrium(point.model, point.state, point.input, options);
    point.state = point.equilibrium->state;
  }
  return point;
}

std::string nameOfPoint(const PointArguments& arguments) {
  const std::string start =
      arguments.initial.empty() ? "the declared state" : "initial condition '" + arguments.initial + "'";
  return arguments.equilibrium ? "the static equilibrium near " + start : start;
}

}  // namespace tactus::server
