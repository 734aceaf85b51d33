// The analyses of `tactus analyse` at the present state of an Engine, and the methods of rt/offline. Knows no Python.
#pragma once

#include "clients/engine/engine.h"
#include "rt/mechanics/initial_state.h"
#include "rt/offline/analysis/equilibrium.h"
#include "rt/offline/analysis/linear_system.h"
#include "rt/offline/analysis/trim.h"
#include "rt/offline/core/trajectory.h"
#include "rt/signals/signal_directory.h"
#include "server/model_io/model_file.h"

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tactus::python {

using engine::Engine;
using engine::SavedState;

/// @throws rt::offline::Interrupted if the flag is set
void requireNot(const std::atomic<bool>& interrupt);

struct LinearPoint {
  rt::offline::LinearSystem system;
  std::vector<std::string> outputs, output_units;
  std::int64_t tick = 0;
  std::string state_hash;
};

/// Work that has all it needs and may outlive the Engine. The flag ends it: it throws rt::offline::Interrupted.
template <class Result>
using OwnWork = std::function<Result(const std::atomic<bool>& interrupt)>;

/// The linear system about the present state, with the model and the inputs in force.
/// @param[in] outputs  names and globs of signals; empty: the sensors
/// @param[in] turning  of the axes of the states of bodies, rad/s, world
/// @param[in] inputs   names and globs of actuators; empty: all
/// @throws Refusal for an unknown signal, and for a turning that is not finite; the work also at a singular pose
OwnWork<LinearPoint> linearizationOf(Engine& engine, const std::vector<std::string>& outputs,
                                     const std::array<double, 3>& turning, const std::vector<std::string>& inputs);

struct PoseRank {
  int rows = 0, rank = 0, freedoms = 0;
  bool singular = false;
  std::vector<double> singular_values;  ///< of the Jacobian of the constraints, from the largest
};

/// The rank of the constraints in the present pose.
OwnWork<PoseRank> poseOf(const Engine& engine);

struct EquilibriumPoint {
  rt::offline::Equilibrium found;
  SavedState saved;  ///< the engine of the search, moved to the pose
};

/// The work throws Refusal if there is no equilibrium near the present pose.
OwnWork<EquilibriumPoint> equilibriumOf(const Engine& engine, int load_steps);

struct TrimPoint {
  rt::offline::Trim found;
  std::vector<std::string> out_of_range;  ///< actuators that the solution drives beyond their limits
  SavedState saved;
};

/// @param[in] required  signals and their values
/// @param[in] free  actuators that may change
/// @throws Refusal for unknown names; the work throws it if there is no trim near the present state
OwnWork<TrimPoint> trimOf(Engine& engine, const std::vector<std::pair<std::string, double>>& required,
                          const std::vector<std::string>& free, bool moving);

struct MethodOptions {
  std::string method;
  std::vector<std::string> settings;  ///< KEY=VALUE
  std::int64_t step_ns = 0, until_ns = 0;
  engine::ParameterValues parameters;
  std::string initial_condition;
  std::vector<double> rows;  ///< inputs of each step, all actuators; the last row is held; none: the declared values
  std::vector<std::string> signals;  ///< names and globs
  std::int64_t every = 1;            ///< steps between two rows; the first and the last row are always there
};

struct MethodRun {
  std::string model;
  std::vector<rt::Signal> signals;
  std::vector<double> times;   ///< s
  std::vector<double> values;  ///< row by row
  rt::offline::Trajectory trajectory;
  rt::AssemblyResult assembly;
};

/// Runs a method of rt/offline; a failure of the method is in the trajectory.
/// @throws Refusal for a model, an option, a signal or an input that is refused; rt::offline::Interrupted
MethodRun runMethod(const server::ModelDocument& document, const MethodOptions& options,
                    const std::atomic<bool>& interrupt);

}  // namespace tactus::python
