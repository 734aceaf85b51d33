// The parts of an Engine, made from a model as it was read; errors become Refusals.
#pragma once

#include "clients/python/native/engine.h"
#include "clients/python/native/refusal.h"

#include <memory>

namespace tactus::python {

/// The model with the parameters of the options. @throws Refusal
v1::Model tunedMessage(const server::ModelDocument& document, const server::ParameterValues& parameters);

/// @throws Refusal with all findings
std::shared_ptr<const rt::Model> builtModel(const v1::Model& message);

/// @throws Refusal naming the setting
rt::Settings chosenSettings(const rt::Model& model, const EngineOptions& options);

/// @throws Refusal for an unknown initial condition, or one that cannot be assembled
rt::AssemblyResult assembled(const rt::Model& model, const std::string& initial_condition);

/// A small ring: readers are in the thread that ticks. @throws Refusal for the number of threads
rt::LoopOptions loopOptions(const rt::Plan& plan, const rt::Settings& settings, int threads);

/// The Refusal for a parameter.
Refusal refusalOf(const server::ParameterError& error);

}  // namespace tactus::python
