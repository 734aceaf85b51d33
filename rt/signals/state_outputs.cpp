#include "rt/signals/state_outputs.h"

#include "rt/error.h"
#include "rt/model/model.h"

#include <algorithm>

namespace tactus::rt {
namespace {

std::vector<int> indicesOf(const SignalDirectory& directory, const std::vector<std::string>& patterns) {
  if (!patterns.empty()) return directory.resolve(patterns);
  std::vector<int> indices;
  for (const std::string& sensor : directory.model().sensor_names) indices.push_back(directory.find(sensor));
  return indices;
}

}  // namespace

StateOutputs::StateOutputs(const Model& model, const std::vector<std::string>& patterns)
    : directory_(model), reader_(directory_, indicesOf(directory_, patterns)), snapshot_(model) {}

const Signal& StateOutputs::signal(std::size_t k) const {
  return directory_.signals()[static_cast<std::size_t>(reader_.indices()[k])];
}

std::vector<std::string> StateOutputs::namesWithUnits() const {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < size(); ++k)
    names.push_back(signal(k).name + (signal(k).unit == "1" ? "" : " (" + signal(k).unit + ')'));
  return names;
}

Eigen::VectorXd StateOutputs::read(const State& state) {
  snapshot_.state = state.values();
  std::copy_n(state.view().input(), snapshot_.inputs.size(), snapshot_.inputs.begin());
  Eigen::VectorXd values(static_cast<Eigen::Index>(size()));
  reader_.read(snapshot_, {values.data(), size()});
  return values;
}

std::function<Eigen::VectorXd(const State&)> StateOutputs::function() {
  if (size() == 0) return {};
  return [this](const State& state) { return read(state); };
}

void requireStateSignal(const std::string& name) {
  const bool sum = name == "energy.dissipated" || name == "energy.input" || name == "energy.total";
  if (!sum && !name.starts_with("solver.") && !name.starts_with("constraint.")) return;
  throw Error("\"" + name + "\" is " + (sum ? "a sum over the run" : "a figure of the solver") +
              ", which linearized equations do not have");
}

std::vector<int> actuatorsAmong(const SignalDirectory& directory, const std::vector<int>& signals,
                                const std::vector<std::string>& patterns) {
  const std::vector<std::string>& names = directory.model().actuator_names;
  std::vector<int> actuators;
  for (const int index : signals) {
    const Signal& signal = directory.signals()[static_cast<std::size_t>(index)];
    if (signal.causality == Causality::kInput)
      actuators.push_back(static_cast<int>(std::find(names.begin(), names.end(), signal.name) - names.begin()));
    else if (std::find(patterns.begin(), patterns.end(), signal.name) != patterns.end())
      throw Error('"' + signal.name + "\" is a signal and no actuator");
  }
  if (actuators.empty()) throw Error("the globs match no actuator");
  std::sort(actuators.begin(), actuators.end());
  return actuators;
}

}  // namespace tactus::rt
