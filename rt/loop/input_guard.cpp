#include "rt/loop/input_guard.h"

#include "rt/model/model.h"

#include <algorithm>
#include <cmath>

namespace tactus::rt {

InputGuard::InputGuard(const Model& model, std::int64_t period_ns, std::int64_t miss_limit)
    : model_(model), miss_limit_(miss_limit) {
  for (const Actuator& actuator : model.actuators)
    ramp_ticks_.push_back(std::llround(actuator.on_loss.ramp_time * 1e9 / static_cast<double>(period_ns)));
  state_.values.resize(model.actuators.size());
  state_.from = state_.slope = state_.values;
  reset();
}

GroupMask InputState::lostGroups() const noexcept {
  GroupMask lost = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) lost |= GroupMask{groups[g].lost} << g;
  return lost;
}

GroupMask InputState::latchedGroups() const noexcept {
  GroupMask latched = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) latched |= GroupMask{groups[g].latched} << g;
  return latched;
}

void InputGuard::reset() noexcept {
  counted_from_ = 0;
  state_.sequence = 0;
  state_.first_tick = 0;
  state_.mode = InputMode::kFree;
  state_.modes.fill(InputMode::kFree);
  state_.groups.fill({});
  state_.taken.fill({});
  for (std::size_t i = 0; i < state_.values.size(); ++i) state_.values[i] = model_.actuators[i].initial;
  state_.from = state_.values;
  std::fill(state_.slope.begin(), state_.slope.end(), 0.0);
}

void InputGuard::restore(const InputState& state) noexcept {
  state_ = state;
  counted_from_ = 0;
}

void InputGuard::command(std::int64_t tick) noexcept {
  for (int g = 0; g < model_.groupCount(); ++g) {
    InputLoss& group = state_.groups[static_cast<std::size_t>(g)];
    if (group.commanded) continue;
    group.commanded = group.latched = true;
    begin(g, tick);
  }
}

void InputGuard::clear() noexcept {
  for (InputLoss& group : state_.groups) group.armed = group.lost = group.commanded = group.latched = false;
}

void InputGuard::resume(GroupMask groups) noexcept {
  for (int g = 0; g < model_.groupCount(); ++g) {
    InputLoss& group = state_.groups[static_cast<std::size_t>(g)];
    if (groups >> g & 1 && !group.commanded) group.armed = group.lost = group.latched = false;
  }
}

void InputGuard::begin(int group, std::int64_t tick) noexcept {
  state_.groups[static_cast<std::size_t>(group)].since_tick = tick;
  for (std::size_t i = 0; i < state_.values.size(); ++i)
    if (model_.actuators[i].group == group) state_.from[i] = state_.values[i];
}

bool InputGuard::take(const ActuatorInput& input, std::int64_t tick, GroupMask groups) noexcept {
  bool taken = false;
  for (int g = 0; g < model_.groupCount(); ++g) {
    InputLoss& group = state_.groups[static_cast<std::size_t>(g)];
    if (!(groups >> g & 1) || group.latched) continue;

    // The slope of inputs, not of the values that a loss action produced between them. Two inputs of one tick have
    // none.
    const auto ticks = static_cast<double>(tick - group.heard_tick);
    const bool continues = group.armed && !group.lost && ticks > 0;
    for (std::size_t i = 0; i < state_.values.size(); ++i) {
      if (model_.actuators[i].group != g) continue;
      if (!input.drives(i)) {
        state_.slope[i] = 0;
        continue;
      }
      state_.slope[i] = continues ? (input.values[i] - state_.values[i]) / ticks : 0;
      state_.values[i] = input.values[i];
    }
    group.heard_tick = tick;
    group.armed = true;
    group.lost = false;
    state_.taken[static_cast<std::size_t>(g)] = {input.holder, input.sequence, tick};
    taken = true;
  }
  if (!taken) return false;
  state_.sequence = input.sequence;
  state_.first_tick = tick;
  return true;
}

bool InputGuard::takeScripted(std::span<const double> values, std::int64_t tick) noexcept {
  bool taken = false;
  for (std::size_t i = 0; i < state_.values.size(); ++i) {
    if (state_.groups[static_cast<std::size_t>(model_.actuators[i].group)].latched) continue;
    state_.values[i] = values[i];
    taken = true;
  }
  if (!taken && state_.latchedGroups() != 0) return false;
  state_.sequence = 0;
  state_.first_tick = tick;
  for (std::size_t g = 0; g < state_.groups.size(); ++g) {
    InputLoss& group = state_.groups[g];
    if (group.latched) continue;
    group.armed = group.lost = false;
    state_.taken[g] = {0, 0, tick};
  }
  return true;
}

// Begins the loss action of a group whose controller has reached the miss limit.
void InputGuard::miss(int g, std::int64_t tick) noexcept {
  InputLoss& group = state_.groups[static_cast<std::size_t>(g)];
  if (!group.armed || group.lost || group.commanded || miss_limit_ == 0) return;
  if (tick - std::max(group.heard_tick, counted_from_) < miss_limit_) return;
  group.lost = true;
  begin(g, tick);
}

// The value and mode of actuator i in this tick.
InputGuard::Demand InputGuard::settled(std::size_t i, std::int64_t tick) const noexcept {
  const InputLoss& group = state_.groups[static_cast<std::size_t>(model_.actuators[i].group)];
  const std::int64_t ticks = tick - group.since_tick + 1;
  if (group.commanded) return rampOf(i, state_.from[i], ticks);
  if (group.lost) return demandOf(i, ticks);
  return {state_.values[i], group.armed ? InputMode::kDriven : InputMode::kFree};
}

bool InputGuard::decide(std::int64_t tick) noexcept {
  for (int g = 0; g < model_.groupCount(); ++g) miss(g, tick);

  // A fault of one actuator leaves the values of all as they were.
  std::array<InputMode, kMaxGroups> modes{};
  for (int g = 0; g < model_.groupCount(); ++g) {
    const InputLoss& group = state_.groups[static_cast<std::size_t>(g)];
    InputMode& mode = modes[static_cast<std::size_t>(g)];
    if (group.commanded) mode = std::max(mode, InputMode::kSafe);
    if (group.armed) mode = std::max(mode, group.lost ? InputMode::kHolding : InputMode::kDriven);
  }
  for (std::size_t i = 0; i < state_.values.size(); ++i) {
    const Demand demand = settled(i, tick);
    if (demand.fault) return false;
    const auto g = static_cast<std::size_t>(model_.actuators[i].group);
    modes[g] = std::max(modes[g], demand.mode);
    if (demand.mode == InputMode::kRamping || demand.mode == InputMode::kSafe) state_.groups[g].latched = true;
  }
  for (std::size_t i = 0; i < state_.values.size(); ++i) state_.values[i] = settled(i, tick).value;
  state_.modes = modes;
  state_.mode = *std::max_element(modes.begin(), modes.end());
  return true;
}

// The loss action of actuator i in tick number `ticks` of the loss.
InputGuard::Demand InputGuard::demandOf(std::size_t i, std::int64_t ticks) const noexcept {
  const Actuator& actuator = model_.actuators[i];
  const InputLossSpec& loss = actuator.on_loss;
  LossAction action = loss.action;
  double from = state_.from[i];
  if (action == LossAction::kExtrapolate) {
    const std::int64_t extrapolated = std::min<std::int64_t>(ticks, loss.extrapolate_ticks);
    from = std::clamp(from + state_.slope[i] * static_cast<double>(extrapolated), actuator.minimum, actuator.maximum);
    if (ticks <= loss.extrapolate_ticks) return {from, InputMode::kExtrapolating};
    ticks -= loss.extrapolate_ticks;
    action = loss.then;
  }
  switch (action) {
    case LossAction::kZero: return {0, InputMode::kSafe};
    case LossAction::kRamp: return rampOf(i, from, ticks);
    case LossAction::kFault: return {.fault = true};
    case LossAction::kHold:
    case LossAction::kExtrapolate:  // a model has no second extrapolation, and defaults were resolved
    case LossAction::kDefault: break;
  }
  return {from, InputMode::kHolding};
}

// Multiplied, never summed; exactly the safe value when the ramp time is over. Rounding never takes it beyond the two
// ends.
InputGuard::Demand InputGuard::rampOf(std::size_t i, double from, std::int64_t ticks) const noexcept {
  const double safe = model_.actuators[i].safe;
  if (ticks >= ramp_ticks_[i]) return {safe, InputMode::kSafe};
  const double share = std::clamp(static_cast<double>(ticks) / static_cast<double>(ramp_ticks_[i]), 0.0, 1.0);
  const double value = from * (1 - share) + safe * share;
  return {std::clamp(value, std::min(from, safe), std::max(from, safe)), InputMode::kRamping};
}

}  // namespace tactus::rt
