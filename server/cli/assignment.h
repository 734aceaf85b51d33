// "NAME=VALUE" on a command line, also for the subcommands of clients, which do not see model files.
#pragma once

#include "server/model_io/tuned_model.h"

#include <string>
#include <utility>

namespace tactus::server {

/// @throws Error if there is no name, or if the value is not a number
inline std::pair<std::string, double> parseAssignment(const std::string& word) {
  const ParameterValue parameter = parseParameter(word);
  return {parameter.name, parameter.value};
}

/// A setting of the solver, in which a flag may be true or false.
/// @throws Error as parseAssignment()
inline std::pair<std::string, double> parseSetting(const std::string& word) {
  const std::size_t split = word.find('=');
  const std::string value = split == std::string::npos ? "" : word.substr(split + 1);
  if (split > 0 && (value == "true" || value == "false")) return {word.substr(0, split), value == "true" ? 1.0 : 0.0};
  return parseAssignment(word);
}

}  // namespace tactus::server
