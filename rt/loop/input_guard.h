// InputGuard: what the actuators get in each tick: the newest input, or what the model says about its loss.
#pragma once

#include "rt/model/model.h"
#include "rt/state/actuator_input.h"
#include "rt/state/input_mode.h"
#include "rt/state/snapshot.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tactus::rt {

/// All of the input side that decides the next tick, as State is all of the mechanism: save both between two ticks,
/// restore both (TickLoop::state and TickLoop::inputState, TickLoop::restore), and the run goes on with the same bits,
/// in the middle of a ramp, too. Plain data; the vectors have one value for each actuator of the Model.
struct InputState {
  std::uint64_t sequence = 0;   ///< of the client's input in force; 0 before the first and for scripted ones
  std::int64_t first_tick = 0;  ///< tick that used the input in force first
  InputMode mode = InputMode::kFree;
  std::array<InputLoss, kMaxGroups> groups;  ///< of each group of the Model
  std::vector<double> values;                ///< what the actuators got in the last tick
  std::vector<double> from;   ///< what they had before since_tick of their group: ramps and extrapolations start here
  std::vector<double> slope;  ///< of the last two inputs of the controller, per tick

  /// Of any group.
  bool lost() const noexcept;
  bool latched() const noexcept;
};

/// A set of groups: bit g stands for group g of the Model.
using GroupMask = std::uint32_t;
inline constexpr GroupMask kAllGroups = (GroupMask{1} << kMaxGroups) - 1;

/// The rules of authority and loss, without clock and without threads. A tick calls, in this order: command() or
/// clear() if somebody has asked, take() for its input, decide().
///
/// *Loss.* Each group of actuators has a controller of its own, which is heard with each input. In the tick in which
/// `miss_limit` inputs in a row are missing, each actuator of the group begins to do what the model says. One that
/// leaves for zero or for its safe value latches its group: from then on inputs are left aside until clear(). Holding
/// and extrapolating end with the next input. The other groups go on.
///
/// *Safe state.* On command() every actuator goes to its safe value over its ramp time; inputs are left aside.
class InputGuard {
 public:
  /// @param[in] period_ns   of a tick, for ramps
  /// @param[in] miss_limit  inputs that may be missing in a row; 0 for any number
  InputGuard(const Model& model, std::int64_t period_ns, std::int64_t miss_limit);

  // ---- the tick; @rt no allocation, no throw, fixed work ----

  /// Everything into the safe state.
  void command(std::int64_t tick) noexcept;

  /// Out of the safe state: the values stay until the next input, and nobody is expected to send one.
  void clear() noexcept;

  /// An input of the controller of some groups for this tick; it has values for all actuators, and those of the other
  /// groups do not count. @returns false if it is left aside in all of them
  bool take(const ActuatorInput& input, std::int64_t tick, GroupMask groups = kAllGroups) noexcept;

  /// A scripted input for this tick: it ends a loss and expects no other. @returns false if it is left aside
  bool takeScripted(std::span<const double> values, std::int64_t tick) noexcept;

  /// Settles the values of this tick. @returns false if an actuator demands a fault; the values are then those before
  bool decide(std::int64_t tick) noexcept;

  std::span<const double> values() const noexcept { return state_.values; }
  const InputState& state() const noexcept { return state_; }

  // ---- between two ticks ----

  /// `state` must be of the same Model. No allocation.
  void restore(const InputState& state) noexcept;

  /// As before the first tick.
  void reset() noexcept;

  std::int64_t missLimit() const noexcept { return miss_limit_; }

 private:
  struct Demand {
    double value = 0;
    InputMode mode = InputMode::kFree;
    bool fault = false;
  };
  Demand demandOf(std::size_t actuator, std::int64_t ticks) const noexcept;
  Demand rampOf(std::size_t actuator, double from, std::int64_t ticks) const noexcept;
  void begin(int group, std::int64_t tick) noexcept;
  void miss(int group, std::int64_t tick) noexcept;
  Demand settled(std::size_t actuator, std::int64_t tick) const noexcept;

  const Model& model_;
  const std::int64_t miss_limit_;
  std::vector<std::int64_t> ramp_ticks_;  ///< of each actuator
  InputState state_;
};

}  // namespace tactus::rt
