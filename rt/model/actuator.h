// What all kinds of actuators share: range, initial and safe value, what happens on loss of the controller.
#pragma once

#include "rt/model/model.h"
#include "rt/model/rules.h"

namespace tactus::rt {

void check(const ActuatorSpec& actuator, const FindingPlace& at);

/// An actuator without its target, which its kind knows.
Actuator makeActuator(const ActuatorSpec& spec);

}  // namespace tactus::rt
