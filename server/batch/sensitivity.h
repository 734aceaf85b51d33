// Derivatives of signals with respect to parameters along the ticks of the server: by the equations linearized along
// them, and by differences of runs. The numbers are those of tactus.sensitivity.
#pragma once

#include "rt/model/model.h"
#include "rt/signals/signal_directory.h"
#include "server/batch/offline_run.h"

#include <Eigen/Core>

#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace tactus::server {

/// A parameter, and the model with other values of it.
struct VariedParameter {
  std::string name;
  double step = 0;                ///< in the unit of the parameter
  int side = 0;                   ///< to which it moves from its nominal value: 0 both, 1 above, -1 below
  std::vector<rt::Model> models;  ///< at sharesOfRuns(side) of the step from the nominal value
};

/// First those of rt::offline::sharesOf(side).
std::vector<double> sharesOfRuns(int side);

/// The step to each side of a value: a share of its magnitude, of 1 where it is 0.
double stepOf(double value, double relative_step) noexcept;

struct SensitivityOptions {
  rt::Settings settings;
  std::int64_t ticks = 0, every = 1;  ///< a row at every n-th tick
  std::string initial_condition;
  std::vector<rt::ScriptedInput> script;
  std::vector<std::string> signals;                      ///< names and globs; empty: the sensors
  bool linearized = true;                                ///< else the values are differences of runs
  std::function<void(double)> progress = [](double) {};  ///< called with the share of the work that is done
};

struct SensitivityResult {
  std::vector<rt::Signal> signals;
  std::vector<double> times;  ///< s
  Eigen::MatrixXd nominal;    ///< rows by signals
  /// Of each parameter, rows by signals: derivatives in SI units. Their errors: how far differences are from linearized
  /// values, or differences of two steps from each other.
  std::vector<Eigen::MatrixXd> values, errors;
};

/// @throws Error for a signal that linearized equations do not have, for an unknown one, at a singular pose, and naming
///         the run whose step failed; rt::offline::Interrupted
SensitivityResult sensitivityOf(const rt::Model& model, const std::vector<VariedParameter>& parameters,
                                const SensitivityOptions& options, const std::atomic<bool>& interrupt);

}  // namespace tactus::server
