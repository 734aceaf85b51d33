// Snapshot: the read-only copy of a tick's results that leaves the loop. Sized once, then only overwritten.
#pragma once

#include "rt/model/limits.h"
#include "rt/state/input_mode.h"
#include "rt/state/state.h"
#include "rt/tick_status.h"

#include <array>
#include <cstdint>
#include <vector>

namespace tactus::rt {

/// Loss of the controller of one group, and its safe state; see InputState in loop/input_guard.h.
struct InputLoss {
  bool armed = false;           ///< an input has arrived: missing inputs are counted from now on
  bool lost = false;            ///< too many inputs are missing: each actuator follows its InputLossSpec
  bool commanded = false;       ///< the safe state was asked for
  bool latched = false;         ///< no input is taken until the safe state is cleared
  std::int64_t heard_tick = 0;  ///< last tick with an input of the controller
  std::int64_t since_tick = 0;  ///< first tick of the loss or of the command

  bool operator==(const InputLoss&) const = default;
};

/// The newest input that one group has taken. Decides nothing.
struct TakenInput {
  std::uint64_t holder = 0;     ///< as in ActuatorInput; 0 before the first one and for scripted inputs
  std::uint64_t sequence = 0;   ///< the number that its holder gave it
  std::int64_t first_tick = 0;  ///< the first tick that used it
};

/// Everything of a Snapshot but its arrays. Trivially copyable.
struct SnapshotHeader {
  std::int64_t tick = 0;
  std::int64_t sim_time_ns = 0;       ///< tick * period, exactly
  std::int64_t publish_time_ns = 0;   ///< CLOCK_REALTIME
  std::uint64_t input_sequence = 0;   ///< of the newest input that this tick used, of any controller
  std::int64_t input_first_tick = 0;  ///< tick that used it first; input age = tick - this
  bool overrun = false;               ///< the tick started a period or more late
  bool input_held = false;            ///< nothing new since the tick before
  bool faulted = false;               ///< the values are those of the last good tick
  std::uint64_t epoch = 0;            ///< times that State was set, not stepped to: at set-up, by a reset or a restore
  InputMode input_mode = InputMode::kFree;
  std::array<InputLoss, kMaxGroups> input_loss;     ///< of each group of the Model
  std::array<InputMode, kMaxGroups> group_modes{};  ///< of each group of the Model; input_mode is that of all actuators
  std::array<TakenInput, kMaxGroups> taken_inputs;  ///< of each group of the Model
  std::uint64_t model_version = 0;  ///< of the Model that made the tick: 0 for the first, see CompiledModel
  StepReport report;
};

struct Snapshot {
  SnapshotHeader header;
  std::vector<double> state;          ///< laid out as State
  std::vector<double> inputs;         ///< value of each actuator in this tick
  std::vector<double> input_history;  ///< of each actuator: where a ramp began; then its change per tick

  Snapshot() = default;
  explicit Snapshot(const Model& model) : Snapshot(StateLayout(model)) {}
  explicit Snapshot(const StateLayout& layout)
      : state(static_cast<std::size_t>(layout.size())),
        inputs(static_cast<std::size_t>(layout.actuators)),
        input_history(2 * inputs.size()) {}
};

}  // namespace tactus::rt
