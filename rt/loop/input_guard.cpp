#include "rt/loop/input_guard.h"

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

void InputGuard::reset() noexcept {
  state_.sequence = 0;
  state_.first_tick = state_.heard_tick = state_.since_tick = 0;
  state_.mode = InputMode::kFree;
  state_.armed = state_.lost = state_.commanded = state_.latched = false;
  for (std::size_t i = 0; i < state_.values.size(); ++i) state_.values[i] = model_.actuators[i].initial;
  state_.from = state_.values;
  std::fill(state_.slope.begin(), state_.slope.end(), 0.0);
}

void InputGuard::restore(const InputState& state) noexcept {
  state_ = state;
}

void InputGuard::command(std::int64_t tick) noexcept {
  if (state_.commanded) return;
  state_.commanded = state_.latched = true;
  begin(tick);
}

void InputGuard::clear() noexcept {
  state_.armed = state_.lost = state_.commanded = state_.latched = false;
}

void InputGuard::begin(std::int64_t tick) noexcept {
  state_.since_tick = tick;
  std::copy(state_.values.begin(), state_.values.end(), state_.from.begin());
}

bool InputGuard::take(const ActuatorInput& input, std::int64_t tick) noexcept {
  if (state_.latched) return false;

  // The slope is that of inputs, not of what a loss made of them in between.
  const auto ticks = static_cast<double>(tick - state_.heard_tick);
  const bool continues = state_.armed && !state_.lost;
  for (std::size_t i = 0; i < state_.values.size(); ++i) {
    state_.slope[i] = continues ? (input.values[i] - state_.values[i]) / ticks : 0;
    state_.values[i] = input.values[i];
  }
  state_.sequence = input.sequence;
  state_.first_tick = state_.heard_tick = tick;
  state_.armed = true;
  state_.lost = false;
  return true;
}

bool InputGuard::takeScripted(std::span<const double> values, std::int64_t tick) noexcept {
  if (state_.latched) return false;
  std::copy(values.begin(), values.end(), state_.values.begin());
  state_.sequence = 0;
  state_.first_tick = tick;
  state_.armed = state_.lost = false;
  return true;
}

bool InputGuard::decide(std::int64_t tick) noexcept {
  if (state_.armed && !state_.lost && !state_.commanded && miss_limit_ > 0 && tick - state_.heard_tick >= miss_limit_) {
    state_.lost = true;
    begin(tick);
  }
  if (!state_.lost && !state_.commanded) {
    state_.mode = state_.armed ? InputMode::kDriven : InputMode::kFree;
    return true;
  }

  // Each actuator says what it wants; a fault of one leaves all as they were.
  const std::int64_t ticks = tick - state_.since_tick + 1;
  InputMode mode = InputMode::kHolding;
  for (std::size_t i = 0; i < state_.values.size(); ++i) {
    const Demand demand = state_.commanded ? rampOf(i, state_.from[i], ticks) : demandOf(i, ticks);
    if (demand.fault) return false;
    mode = std::max(mode, demand.mode);
    state_.latched = state_.latched || demand.mode == InputMode::kRamping || demand.mode == InputMode::kSafe;
  }
  if (state_.commanded) mode = std::max(mode, InputMode::kSafe);
  for (std::size_t i = 0; i < state_.values.size(); ++i)
    state_.values[i] = state_.commanded ? rampOf(i, state_.from[i], ticks).value : demandOf(i, ticks).value;
  state_.mode = mode;
  return true;
}

// What actuator i does in the tick number `ticks` of a loss.
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
    case LossAction::kExtrapolate:  // a model has no second extrapolation, and no default left
    case LossAction::kDefault: break;
  }
  return {from, InputMode::kHolding};
}

// Multiplied, never summed, and at the safe value exactly when the time is up.
InputGuard::Demand InputGuard::rampOf(std::size_t i, double from, std::int64_t ticks) const noexcept {
  const double safe = model_.actuators[i].safe;
  if (ticks >= ramp_ticks_[i]) return {safe, InputMode::kSafe};
  const double share = static_cast<double>(ticks) / static_cast<double>(ramp_ticks_[i]);
  return {from * (1 - share) + safe * share, InputMode::kRamping};
}

}  // namespace tactus::rt
