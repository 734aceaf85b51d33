// The signals of a model, for `tactus signals MODEL`, which needs no server.
#pragma once

#include "tactus/v1/state.pb.h"

#include <string>
#include <vector>

namespace tactus::server {

/// The signal directory of a built-in model or a model file. Findings on the model go to stderr.
/// @throws Error if there is no such model, or if it is not valid
std::vector<v1::Signal> signalsOfModel(const std::string& model);

}  // namespace tactus::server
