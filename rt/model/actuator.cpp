#include "rt/model/actuator.h"

#include <cmath>
#include <string>

namespace tactus::rt {
namespace {

bool inRange(double value, const ActuatorSpec& actuator) {
  return value >= actuator.minimum.value_or(value) && value <= actuator.maximum.value_or(value);
}

/// Not a number compares false, so that it yields one finding, not three.
void checkRange(const ActuatorSpec& actuator, const FindingPlace& at) {
  if (actuator.minimum && actuator.maximum && *actuator.minimum > *actuator.maximum)
    at.error(".minimum", printed(*actuator.minimum), "must not be above maximum " + printed(*actuator.maximum));
  if (actuator.minimum && actuator.initial < *actuator.minimum)
    at.error(".initial", printed(actuator.initial), "must not be below minimum " + printed(*actuator.minimum));
  if (actuator.maximum && actuator.initial > *actuator.maximum)
    at.error(".initial", printed(actuator.initial), "must not be above maximum " + printed(*actuator.maximum));
  if (actuator.safe && std::isfinite(*actuator.safe) && !inRange(*actuator.safe, actuator))
    at.error(".safe", printed(*actuator.safe), "must lie in the range of the actuator");
}

void checkLoss(const ActuatorSpec& actuator, const FindingPlace& at) {
  constexpr int kMaxExtrapolated = 1'000'000;  // ticks
  const InputLossSpec& loss = actuator.on_loss;
  const auto checkZero = [&](const char* field, LossAction action) {
    if (action == LossAction::kZero && !inRange(0, actuator))
      at.error(field, "LOSS_ACTION_ZERO", "needs a range that holds 0");
  };
  checkZero(".on_loss.action", loss.action);
  checkZero(".on_loss.then", loss.then);
  const char* const ticks = ".on_loss.extrapolate_ticks";
  if (loss.action == LossAction::kExtrapolate)
    requireWithin(at.path + ticks, loss.extrapolate_ticks, 1, kMaxExtrapolated, at.out);
  else if (loss.extrapolate_ticks != 0)
    at.error(ticks, std::to_string(loss.extrapolate_ticks), "belongs to LOSS_ACTION_EXTRAPOLATE");
  if (loss.then == LossAction::kExtrapolate)
    at.error(".on_loss.then", "LOSS_ACTION_EXTRAPOLATE", "must be another action than the one before it");
}

}  // namespace

void check(const ActuatorSpec& actuator, const FindingPlace& at) {
  constexpr std::size_t kMaxUnit = 16;
  if (actuator.unit.size() > kMaxUnit)
    at.error(".unit", printed(actuator.unit), "must have at most " + std::to_string(kMaxUnit) + " bytes");
  checkRange(actuator, at);
  checkLoss(actuator, at);
}

Actuator makeActuator(const ActuatorSpec& spec) {
  Actuator actuator{ActuatorKind::kJointTorque, 0, Vector3d::Zero(), Vector3d::Zero(), Frame::kWorld};
  actuator.minimum = spec.minimum.value_or(actuator.minimum);
  actuator.maximum = spec.maximum.value_or(actuator.maximum);
  actuator.initial = spec.initial;

  const bool zero_in_range = actuator.minimum <= 0 && actuator.maximum >= 0;
  actuator.safe = spec.safe.value_or(zero_in_range ? 0 : spec.initial);
  actuator.on_loss = spec.on_loss;
  for (LossAction* action : {&actuator.on_loss.action, &actuator.on_loss.then})
    if (*action == LossAction::kDefault) *action = spec.safe ? LossAction::kRamp : LossAction::kHold;
  return actuator;
}

}  // namespace tactus::rt
