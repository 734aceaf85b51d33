// The parts of an Engine, made from its model and its options; errors become Refusals.
#pragma once

#include "clients/engine/engine.h"
#include "clients/engine/refusal.h"

#include <string>

namespace tactus::engine {

/// Number of an actuator, from 0. @throws Refusal SIGNAL_UNKNOWN with the nearest name
int actuatorOf(const rt::Model& model, const std::string& name);

/// @throws Refusal naming the setting
rt::Settings chosenSettings(const rt::Model& model, const EngineOptions& options);

/// @throws Refusal MODEL_INVALID if steps of order 3 or 4 would amplify a vibration of the model
void requireStable(const rt::Model& model, const rt::Settings& settings);

/// Number of an initial condition. @throws Refusal if the model has none of this name
int initialConditionOf(const rt::Model& model, const std::string& name);

/// @throws Refusal for an unknown initial condition, or one that cannot be assembled
rt::AssemblyResult assembled(const rt::Model& model, const std::string& initial_condition);

/// The same with the actuators at the values that the run begins with.
rt::AssemblyResult assembled(const rt::Model& model, const std::string& initial_condition,
                             const rt::ActuatorInput& input);

/// A small ring: readers are in the thread that ticks. @throws Refusal for the number of threads
rt::LoopOptions loopOptions(const rt::Plan& plan, const rt::Settings& settings, int threads);

}  // namespace tactus::engine
