// The options that `tactus validate` and `tactus qualify` share: inputs, parameters, tolerances and the time to spend.
#pragma once

#include "server/batch/measure.h"
#include "server/model_io/model_file.h"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tactus::server {

struct ComparisonArguments {
  std::string inputs;
  std::vector<std::string> sets, tolerances;
  double budget_s = 60;
};

/// Adds --inputs, --set, --tolerance, --tol and --budget.
void addComparisonOptions(CLI::App& command, ComparisonArguments& arguments);

/// The model with the values of --set. @returns none if the model is not valid, after printing its findings
/// @throws Error for a parameter that the model does not have
std::optional<ModelDocument> openWithParameters(const std::string& model, const ComparisonArguments& arguments);

/// @param[in] wanted_ns  --for; 0: not given
/// @throws Error if it is shorter than the time of `option`, which is compared
void requireLonger(std::int64_t wanted_ns, const std::string& option, std::int64_t compared_ns);

/// @throws Error for a kind that is not known
Tolerances tolerancesOf(const ComparisonArguments& arguments);

/// These options as the page shows them, with a space before each.
std::string commandOf(const ComparisonArguments& arguments);

}  // namespace tactus::server
