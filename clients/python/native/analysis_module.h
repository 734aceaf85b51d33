// The analyses as parts of the module tactus._native.
#pragma once

#include "clients/engine/engine.h"
#include "clients/python/native/sensitivity.h"

#include <pybind11/pybind11.h>

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tactus::python {

using engine::Engine;

/// Adds the classes of results, and `offline`.
void addAnalyses(pybind11::module_& module);

/// Analyses of an Engine that nothing else uses meanwhile; they run without the lock of the interpreter.
pybind11::object pythonLinearize(Engine& engine, const std::vector<std::string>& outputs,
                                 const std::array<double, 3>& turning, const std::vector<std::string>& inputs);
pybind11::object pythonPose(Engine& engine);
pybind11::object pythonEquilibrium(Engine& engine, int load_steps);
pybind11::object pythonTrim(Engine& engine, const std::vector<std::pair<std::string, double>>& required,
                            const std::vector<std::string>& free, bool moving);

/// Derivatives along ticks, which move the engine. After Ctrl-C the thread of the work may go on for a while.
/// @param[in] finished  called by that thread when it uses the engine no more
std::vector<double> pythonSensitivity(std::shared_ptr<Engine> engine, SensitivityRequest request,
                                      std::function<void()> finished);

/// Lets Python handle Ctrl-C now and then: to be called often, without the lock of the interpreter.
std::function<void()> lookForSignals();

}  // namespace tactus::python
