// The rules of validity of a model, one function a rule; all are run, all findings reported.
#pragma once

#include "rt/error.h"
#include "rt/model/model_spec.h"

#include <cstddef>
#include <string>
#include <vector>

namespace tactus::rt {

/// Targets of all parameters of a model.
inline constexpr std::size_t kMaxTargets = 1024;

/// Every finding on a description, in file order; empty if it can be built.
/// A description with only warnings builds.
std::vector<Finding> checkModel(const ModelSpec& spec);

/// The known name nearest to `name` by edit distance, or an empty string if none is near.
std::string nearestName(const std::string& name, const std::vector<std::string>& known);

}  // namespace tactus::rt
