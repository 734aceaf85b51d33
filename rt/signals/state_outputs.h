// Signals of a model at one State, and the choice of inputs, for analyses of a state.
#pragma once

#include "rt/signals/signal_reader.h"
#include "rt/state/state.h"

#include <Eigen/Core>

#include <functional>
#include <string>
#include <vector>

namespace tactus::rt {

struct Model;

class StateOutputs {
 public:
  /// The model must outlive this.
  /// @param[in] patterns  names and globs of signals; empty: the sensors of the model
  /// @throws Error if a pattern matches nothing
  StateOutputs(const Model& model, const std::vector<std::string>& patterns);
  StateOutputs(const StateOutputs&) = delete;
  StateOutputs& operator=(const StateOutputs&) = delete;

  std::size_t size() const { return reader_.indices().size(); }
  const Signal& signal(std::size_t k) const;
  /// "speed (m/s)" of each; a signal without a unit by its name alone.
  std::vector<std::string> namesWithUnits() const;
  Eigen::VectorXd read(const State& state);

  /// read() as the outputs of a linear system; empty without signals. This must outlive it.
  std::function<Eigen::VectorXd(const State&)> function();

 private:
  SignalDirectory directory_;
  SignalReader reader_;
  Snapshot snapshot_;
};

/// A state does not tell sums over the steps before it, and how the step was solved.
/// @throws Error if the signal is one of these
void requireStateSignal(const std::string& name);

/// The actuators among signals, by their index, in the order of the model.
/// @param[in] signals   indices into the directory, which `patterns` have chosen
/// @param[in] patterns  names and globs
/// @throws Error if a name is that of another signal, or if there is no actuator
std::vector<int> actuatorsAmong(const SignalDirectory& directory, const std::vector<int>& signals,
                                const std::vector<std::string>& patterns);

}  // namespace tactus::rt
