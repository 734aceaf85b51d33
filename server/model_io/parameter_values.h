// The values of parameters: the numbers that their targets have in the model.
#pragma once

#include "rt/error.h"
#include "rt/model/model_spec.h"

#include "tactus/v1/model.pb.h"

#include <functional>
#include <string>
#include <vector>

namespace tactus::server {

/// Whether an error at a path, in it or around it has been found.
using IsBroken = std::function<bool(const std::string& path)>;

/// Sets the value of each parameter. A target that leads to what is broken has no finding, and gives no value.
/// @param parameters  of the message, without values
std::vector<rt::Finding> readParameterValues(const v1::Model& message, const IsBroken& broken,
                                             std::vector<rt::ParameterSpec>& parameters);

}  // namespace tactus::server
