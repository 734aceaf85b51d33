// `tactus get` and `tactus set`: parameters of a running session.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace tactus::client {

/// The parts of "NAME=VALUE". Throws a std::exception if there is no name, or if the value is not a number.
using AssignmentParser = std::function<std::pair<std::string, double>(const std::string& word)>;

/// The known name that a user may have meant; empty if none is near.
using NearestName = std::function<std::string(const std::string& name, const std::vector<std::string>& known)>;

/// @param[out] exit_code    set when a subcommand has run
/// @param[in]  parse, near  the program passes what its local subcommands use
void addParameterCommands(CLI::App& app, int& exit_code, AssignmentParser parse, NearestName near);

}  // namespace tactus::client
