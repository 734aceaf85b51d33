#include "server/wire/state_search.h"

#include "rt/error.h"
#include "rt/model/check_model.h"
#include "rt/model/model.h"
#include "server/wire/found_state.h"
#include "server/wire/request_error.h"
#include "server/wire/state_frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tactus::server {

namespace {

/// The element of a repeated field, for an error.
std::string element(const char* field, int k) {
  return fmt::format("{}[{}]", field, k);
}

int actuatorOf(const rt::Model& model, const std::string& name, const std::string& field) {
  const auto& names = model.actuator_names;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<int>(found - names.begin());
  const std::string nearest = rt::nearestName(name, names);
  throw RequestError(Reason::kSignalUnknown, field,
                     "model \"" + model.name + "\" has no actuator \"" + name + '"' +
                         (nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?"),
                     "Session.inputs lists the actuators");
}

void requireFiniteNumber(double value, const std::string& field) {
  if (!std::isfinite(value)) throw RequestError(Reason::kNotFinite, field, "is not finite");
}

void changeInputs(const v1::AnalyseRequest& request, const rt::Model& model, std::vector<double>& input) {
  std::set<int> seen;
  for (int k = 0; k < request.input_values_size(); ++k) {
    const v1::NamedValue& given = request.input_values(k);
    const std::string field = element("input_values", k);
    const int index = actuatorOf(model, given.name(), field + ".name");
    if (!seen.insert(index).second)
      throw RequestError(Reason::kRequestInvalid, field + ".name", '"' + given.name() + "\" is there twice");
    requireFiniteNumber(given.value(), field + ".value");
    const rt::Actuator& actuator = model.actuators[static_cast<std::size_t>(index)];
    if (given.value() < actuator.minimum || given.value() > actuator.maximum)
      throw RequestError(
          Reason::kValueOutOfRange, field + ".value",
          fmt::format("\"{}\" must be from {:g} to {:g}", given.name(), actuator.minimum, actuator.maximum));
    input[static_cast<std::size_t>(index)] = given.value();
  }
}

rt::offline::Equilibrium equilibriumOf(const rt::Model& model, const rt::State& start, const std::vector<double>& input,
                                       double time, const v1::EquilibriumSearch& search,
                                       const std::atomic<bool>& interrupt) {
  if (search.load_steps() > kMaxLoadSteps)
    throw RequestError(Reason::kLimitExceeded, "equilibrium.load_steps",
                       std::to_string(search.load_steps()) + " load steps are too many",
                       "give at most " + std::to_string(kMaxLoadSteps));
  rt::offline::EquilibriumOptions options;
  options.load_steps = std::max(1, static_cast<int>(search.load_steps()));
  options.time = time;
  options.interrupt = &interrupt;
  try {
    return rt::offline::findEquilibrium(model, start, input, options);
  } catch (const Error& error) { throw RequestError(Reason::kAnalysisFailed, "equilibrium", error.what()); }
}

/// What a trim has to meet, and what it may change.
struct TrimTask {
  std::vector<std::string> names;
  rt::offline::TrimOptions options;
};

TrimTask taskOf(const v1::TrimSearch& search, const rt::SignalDirectory& directory) {
  TrimTask task;
  if (search.require().empty())
    throw RequestError(Reason::kRequestInvalid, "trim.require", "no signal is required", "name at least one");
  task.options.wanted.resize(search.require_size());
  for (int k = 0; k < search.require_size(); ++k) {
    const std::string field = element("trim.require", k);
    const std::string& name = search.require(k).name();
    if (rt::SignalDirectory::isGlob(name))
      throw RequestError(Reason::kRequestInvalid, field + ".name", '"' + name + "\" is a glob", "name one signal");
    selectSignals(directory, {name}, field + ".name");
    if (std::find(task.names.begin(), task.names.end(), name) != task.names.end())
      throw RequestError(Reason::kRequestInvalid, field + ".name", '"' + name + "\" is required twice");
    requireFiniteNumber(search.require(k).value(), field + ".value");
    task.names.push_back(name);
    task.options.wanted[k] = search.require(k).value();
  }
  for (int k = 0; k < search.free_size(); ++k) {
    const int index = actuatorOf(directory.model(), search.free(k), element("trim.free", k));
    std::vector<int>& free = task.options.free_inputs;
    if (std::find(free.begin(), free.end(), index) != free.end())
      throw RequestError(Reason::kRequestInvalid, element("trim.free", k), '"' + search.free(k) + "\" is there twice");
    free.push_back(index);
  }
  task.options.at_rest = !search.moving();
  return task;
}

rt::offline::Trim trimOf(const rt::Model& model, const rt::State& start, const std::vector<double>& input,
                         const TrimTask& task) {
  rt::StateOutputs required(model, task.names);
  rt::offline::TrimOptions options = task.options;
  options.names = required.namesWithUnits();
  try {
    return rt::offline::findTrim(model, start, input, required.function(), options);
  } catch (const Error& error) { throw RequestError(Reason::kAnalysisFailed, "trim", error.what()); }
}

/// The signals whose values are given: those that a trim requires, then the outputs.
std::vector<std::string> shownSignals(const std::vector<std::string>& required, const v1::AnalyseRequest& request,
                                      const rt::SignalDirectory& directory) {
  std::vector<std::string> shown = required;
  const std::vector<std::string> outputs(request.outputs().begin(), request.outputs().end());
  if (!outputs.empty()) selectSignals(directory, outputs, "outputs");
  const std::vector<std::string>& further = outputs.empty() ? directory.model().sensor_names : outputs;
  shown.insert(shown.end(), further.begin(), further.end());
  return shown;
}

}  // namespace

rt::Snapshot searchState(const rt::Snapshot& tick, const rt::Model& model, double time,
                         const v1::AnalyseRequest& request, const std::atomic<bool>& interrupt,
                         v1::FoundState& message) {
  const rt::SignalDirectory directory(model);
  rt::Snapshot found = tick;
  changeInputs(request, model, found.inputs);
  std::optional<TrimTask> task;
  if (request.has_trim()) task = taskOf(request.trim(), directory);
  const std::vector<std::string> shown =
      shownSignals(task ? task->names : std::vector<std::string>{}, request, directory);

  rt::State state(model);
  state.tick = tick.header.tick;
  state.values() = tick.state;
  std::copy(found.inputs.begin(), found.inputs.end(), state.input());
  if (request.has_equilibrium()) {
    const rt::offline::Equilibrium equilibrium =
        equilibriumOf(model, state, found.inputs, time, request.equilibrium(), interrupt);
    state = equilibrium.state;
    writeEquilibrium(equilibrium, message);
  }
  if (task) {
    task->options.time = time;
    task->options.interrupt = &interrupt;
    const rt::offline::Trim trim = trimOf(model, state, found.inputs, *task);
    state = trim.state;
    found.inputs = trim.input;
    writeTrim(trim, message);
  }
  found.state = state.values();
  for (const double value : found.state)
    if (!std::isfinite(value))
      throw RequestError(Reason::kAnalysisFailed, request.has_trim() ? "trim" : "equilibrium",
                         "the search ends in a state with values that are not finite", "begin nearer to it");
  rt::StateOutputs signals(model, shown);
  writeFoundState(model, state, found.inputs, task ? task->options.free_inputs : std::vector<int>{}, signals, message);
  return found;
}

}  // namespace tactus::server
