// A model file with a state that was found as one of its initial conditions.
#pragma once

#include "rt/state/state.h"
#include "server/model_io/model_file.h"

#include <string>
#include <vector>

namespace tactus::server {

/// @throws Error if a name that is not empty is not one of a model file
void requireModelFileName(const std::string& path);

/// Writes the model with positions and velocities of a state as an initial condition, in place of one of that name, and
/// with values of the actuators as their initial values.
/// @throws Error if the model cannot hold the state, or if the file cannot be written; the former one is then unchanged
void writeModelAt(const std::string& path, const ModelDocument& document, const rt::Model& model,
                  const std::string& name, const rt::State& state, const std::vector<double>& input);

}  // namespace tactus::server
