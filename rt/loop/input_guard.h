// InputGuard: decides the values of the actuators in each tick: the newest input, or on loss of a controller the values
// that the model prescribes.
#pragma once

#include "rt/model/limits.h"
#include "rt/state/actuator_input.h"
#include "rt/state/input_mode.h"
#include "rt/state/snapshot.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tactus::rt {

/// A set of groups: bit g stands for group g of the Model.
using GroupMask = std::uint32_t;
inline constexpr GroupMask kAllGroups = (GroupMask{1} << kMaxGroups) - 1;

/// The state of the inputs. Together with State it decides the next tick: if both are saved between two ticks and
/// restored (TickLoop::state, inputState and restore), the run continues with the same bits, even in the middle of a
/// ramp. Only the count of missing inputs begins anew where a loop stood still (countMissesFrom), as a session does at
/// its start and after a restore. Plain data; the vectors have one value for each actuator of the Model.
struct InputState {
  std::uint64_t sequence = 0;   ///< of the client input in force; 0 before the first one and for scripted inputs
  std::int64_t first_tick = 0;  ///< the first tick that used the input in force
  InputMode mode = InputMode::kFree;
  std::array<InputLoss, kMaxGroups> groups;   ///< of each group of the Model
  std::array<InputMode, kMaxGroups> modes{};  ///< of each group in the last tick; decides nothing
  std::array<TakenInput, kMaxGroups> taken;   ///< of each group; decides nothing
  std::vector<double> values;                 ///< values of the actuators in the last tick
  std::vector<double> from;   ///< values before since_tick of their group: ramps and extrapolations start here
  std::vector<double> slope;  ///< between the last two inputs of the controller, per tick

  GroupMask lostGroups() const noexcept;
  GroupMask latchedGroups() const noexcept;
};

/// The rules of authority and loss, without a clock and without threads. A tick calls, in this order: command() or
/// clear() if requested, take() for its inputs, decide().
///
/// *Loss.* Each group of actuators has a controller of its own. In the tick in which `miss_limit` consecutive inputs
/// are missing, each actuator of the group begins the loss action of the model. An actuator that goes to zero or to its
/// safe value latches its group: from then on inputs are ignored until clear(). Holding and extrapolating end with the
/// next input. Other groups are not affected.
///
/// *Safe state.* On command() every actuator goes to its safe value over its ramp time; inputs are ignored.
class InputGuard {
 public:
  /// @param[in] period_ns   of a tick, for ramps
  /// @param[in] miss_limit  consecutive inputs that may be missing; 0: no limit
  InputGuard(const Model& model, std::int64_t period_ns, std::int64_t miss_limit);

  // ---- the tick; @rt no allocation, no throw, fixed work ----

  /// Puts all groups into the safe state.
  void command(std::int64_t tick) noexcept;

  /// Ends the safe state. The values stay until the next input; missing inputs count again from then on.
  void clear() noexcept;

  /// New controllers of some groups: what the loss of the former ones led to ends there. A commanded safe state stays.
  void resume(GroupMask groups) noexcept;

  /// Takes an input of the controller of some groups for this tick. It has values for all actuators; those of other
  /// groups, and of actuators that it does not drive, are ignored. @returns false if it is ignored in all its groups
  bool take(const ActuatorInput& input, std::int64_t tick, GroupMask groups = kAllGroups) noexcept;

  /// Takes a scripted input for this tick. It ends a loss; missing inputs count again after the next input of a
  /// controller. @returns false if it is ignored
  bool takeScripted(std::span<const double> values, std::int64_t tick) noexcept;

  /// Decides the values of this tick. @returns false if an actuator demands a fault; the values then stay as they were
  bool decide(std::int64_t tick) noexcept;

  std::span<const double> values() const noexcept { return state_.values; }
  const InputState& state() const noexcept { return state_; }

  // ---- between two ticks ----

  /// `state` must be of the same Model. No allocation.
  void restore(const InputState& state) noexcept;

  /// Returns to the state before the first tick.
  void reset() noexcept;

  /// No input counts as missing before this tick: the loop stood still until then.
  void countMissesFrom(std::int64_t tick) noexcept { counted_from_ = tick; }

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
  std::int64_t counted_from_ = 0;
  std::vector<std::int64_t> ramp_ticks_;  ///< of each actuator
  InputState state_;
};

}  // namespace tactus::rt
