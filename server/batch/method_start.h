// Where a method of rt/offline begins a motion with a script of inputs.
#pragma once

#include "rt/mechanics/initial_state.h"
#include "rt/offline/core/input_signal.h"
#include "rt/state/actuator_input.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tactus::server {

/// The name of the step of the server among the methods.
inline constexpr const char* kStepOfTheServer = "ali3p";

struct MethodStart {
  rt::offline::InputSignal input;
  rt::AssemblyResult assembly;  ///< for the input at time 0
};

/// The script as the method sees it. The step of the server takes an input as reached at the end of a step: it begins
/// with the initial values of the actuators, as every session does. The other methods begin with the first row of the
/// script: their first accelerations must have it, or they lose an order.
/// @param[in] script  its ticks are steps of `step_ns`
rt::offline::InputSignal inputOfMethod(const rt::Model& model, const std::string& method,
                                       const std::vector<rt::ScriptedInput>& script, std::int64_t step_ns);

/// That input, and the state that the method begins with.
/// @throws Error if the initial condition is unknown or cannot be assembled
MethodStart startOf(const rt::Model& model, const std::string& method, const std::string& initial_condition,
                    const std::vector<rt::ScriptedInput>& script, std::int64_t step_ns);

}  // namespace tactus::server
