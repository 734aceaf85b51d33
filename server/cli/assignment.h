// "NAME=VALUE" on a command line, for the subcommands of clients, which do not see model files.
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

}  // namespace tactus::server
