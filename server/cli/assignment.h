// "NAME=VALUE" on a command line, and names that are not known, also for the subcommands of clients, which do not see
// model files.
#pragma once

#include "rt/model/check_model.h"
#include "server/model_io/solver_setting.h"
#include "server/model_io/tuned_model.h"

#include <string>
#include <utility>
#include <vector>

namespace tactus::server {

/// @throws Error if there is no name, or if the value is not a number
inline std::pair<std::string, double> parseAssignment(const std::string& word) {
  const ParameterValue parameter = parseParameter(word);
  return {parameter.name, parameter.value};
}

/// A setting of the solver.
/// @throws Error as parseSolverSetting()
inline std::pair<std::string, double> parseSetting(const std::string& word) {
  const rt::SettingChange change = parseSolverSetting(word);
  return {change.name, change.value};
}

/// The known name that a user may have meant; empty if none is near.
inline std::string nearestOf(const std::string& name, const std::vector<std::string>& known) {
  return rt::nearestName(name, known);
}

}  // namespace tactus::server
