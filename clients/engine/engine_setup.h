// The parts of an Engine, made from its model and its options; errors become Refusals.
#pragma once

#include "clients/engine/engine.h"
#include "clients/engine/refusal.h"

#include <string>

namespace tactus::engine {

/// @throws Refusal naming the setting
rt::Settings chosenSettings(const rt::Model& model, const EngineOptions& options);

/// @throws Refusal for an unknown initial condition, or one that cannot be assembled
rt::AssemblyResult assembled(const rt::Model& model, const std::string& initial_condition);

/// The same with the actuators at the values that the run begins with.
rt::AssemblyResult assembled(const rt::Model& model, const std::string& initial_condition,
                             const rt::ActuatorInput& input);

/// A small ring: readers are in the thread that ticks. @throws Refusal for the number of threads
rt::LoopOptions loopOptions(const rt::Plan& plan, const rt::Settings& settings, int threads);

}  // namespace tactus::engine
