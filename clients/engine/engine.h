// Engine: a model and the tick of the server in this process. Knows no file format, no wire and no language but C++.
#pragma once

#include "clients/engine/model_source.h"
#include "rt/ali3p/settings.h"
#include "rt/loop/compiled_model.h"
#include "rt/loop/tick_loop.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/plan/plan.h"
#include "rt/signals/model_versions.h"
#include "rt/signals/signal_directory.h"
#include "rt/signals/signal_reader.h"
#include "rt/state/snapshot.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tactus::engine {

struct EngineOptions {
  std::int64_t period_ns = 0;               ///< 0: the model's
  std::vector<rt::SettingChange> settings;  ///< changes of what the model recommends
  ParameterValues parameters;               ///< that differ from the declared ones
  std::string initial_condition;            ///< empty: the declared states of the bodies
  int threads = 1;                          ///< that share a step
};

/// @param[in] index  of the actuator
/// @param[in] row    of a table, for the error; -1: the value belongs to none
/// @throws Refusal  NOT_FINITE or VALUE_OUT_OF_RANGE with the value and its limits
void requireValue(const rt::Model& model, std::size_t index, double value, std::int64_t row);

/// Everything that decides the next tick.
struct SavedState {
  rt::Snapshot snapshot;
  ParameterValues parameters;
  std::uint64_t model_hash = 0;  ///< with these parameters
  rt::Settings settings;
};

/// Used by one thread at a time.
class Engine {
 public:
  /// Builds the model, assembles its initial state and compiles the Plan.
  /// @throws Refusal with all findings on the model
  Engine(std::unique_ptr<const ModelSource> source, const EngineOptions& options);

  // ---- inputs; held until they are set anew ----

  /// Sets the values of some actuators, or none of them.
  /// @throws Refusal for a value that is not finite or out of range
  void setInputs(std::span<const int> actuators, std::span<const double> values);

  /// The values of the next tick, in the order of the actuators.
  std::span<const double> inputs() const noexcept { return input_.values; }

  /// @throws Refusal SIGNAL_UNKNOWN with the nearest name
  int actuator(const std::string& name) const;

  /// Checks rows of values of some actuators, as run() does; nothing has changed then.
  /// @throws Refusal for a value that is not finite or out of range, with its row, from 0
  void requireInRange(std::span<const int> actuators, std::span<const double> rows) const;

  // ---- ticks ----

  /// A block of ticks, each with a row of inputs.
  struct Block {
    std::int64_t ticks = 0;
    std::span<const int> actuators;  ///< of a row
    std::span<const double> rows;    ///< one row for each tick, or none: the inputs are held
    std::span<const int> signals;    ///< of a row of outputs
    std::int64_t every = 1;          ///< a row of outputs at every n-th tick
    std::span<double> outputs;       ///< room for ticks / every rows
    std::span<std::int64_t> output_ticks;
    std::function<void()> look;  ///< called now and then between ticks; may throw
  };

  /// @returns number of ticks made; fewer than asked for if a step failed, see fault()
  /// @throws Refusal for inputs, before the first tick; what `look` throws
  std::int64_t run(const Block& block);

  /// Why the last step failed; empty if none did.
  std::string fault() const;

  // ---- state ----

  std::int64_t tick() const noexcept { return loop_.state().tick; }
  std::int64_t periodNs() const noexcept { return loop_.settings().period_ns; }
  const rt::State& state() const noexcept { return loop_.state(); }
  const rt::Model& model() const noexcept { return *model_; }
  /// The model with the parameters in force.
  const rt::Model& modelInForce() const noexcept { return current_ ? *current_->model : *model_; }
  /// The same for what outlives a change of parameters, or this.
  std::shared_ptr<const rt::Model> sharedModelInForce() const noexcept { return current_ ? current_->model : model_; }
  const rt::Settings& settings() const noexcept { return loop_.settings(); }
  const rt::AssemblyResult& assembly() const noexcept { return initial_; }

  SavedState save() const;
  /// @throws Refusal SNAPSHOT_INCOMPATIBLE for a state of another model or of other settings; nothing has changed then
  void restore(const SavedState& saved);
  /// Back to tick 0, the initial state and the parameters of the construction; clears a fault.
  void reset();

  // ---- signals and parameters ----

  const rt::SignalDirectory& signals() const noexcept { return directory_; }
  /// @throws Refusal SIGNAL_UNKNOWN with the nearest name
  std::vector<int> select(const std::vector<std::string>& patterns) const;
  /// Values of the newest tick.
  std::vector<double> read(const std::vector<int>& signals);
  /// The same with a reader of signals() that its owner keeps.
  void read(rt::SignalReader& reader, std::span<double> values);

  const ParameterValues& parameters() const noexcept { return parameters_; }
  /// Sets parameters together for all further ticks, or none of them. @throws Refusal
  void setParameters(const ParameterValues& values);

  /// A run with other parameters: its model, which has the structure of this one, and the state in which it begins.
  struct Beginning {
    std::shared_ptr<const rt::Model> model;
    rt::State start;
  };
  /// @throws Refusal for the parameters, and for an initial state that cannot be assembled with them
  Beginning beginningWith(const ParameterValues& values) const;

 private:
  void checkRow(std::span<const int> actuators, std::span<const double> values, std::int64_t row) const;
  void offer(std::span<const int> actuators, std::span<const double> values);
  void use(std::unique_ptr<rt::CompiledModel> next, ParameterValues values);
  std::shared_ptr<const rt::Model> tuned(const ParameterValues& values) const;

  const std::unique_ptr<const ModelSource> source_;
  const std::shared_ptr<const rt::Model> model_;  ///< with the parameters of the construction
  const ParameterValues declared_;                ///< values of the model without any change
  const rt::Settings settings_;
  const std::string initial_condition_;
  const rt::AssemblyResult initial_;
  const std::unique_ptr<const rt::Plan> plan_;
  rt::TickLoop loop_;
  rt::ModelVersions versions_;
  const rt::SignalDirectory directory_;
  rt::Snapshot snapshot_;
  rt::ActuatorInput input_;

  ParameterValues parameters_;                  ///< in force
  std::unique_ptr<rt::CompiledModel> current_;  ///< null: the model of the construction
  std::uint64_t versions_made_ = 0;
};

}  // namespace tactus::engine
