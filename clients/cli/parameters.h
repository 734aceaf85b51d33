// `tactus get` and `tactus set`: parameters of a running session.
#pragma once

#include <functional>
#include <string>
#include <utility>

namespace CLI {
class App;
}

namespace tactus::client {

/// The parts of "NAME=VALUE". Throws a std::exception if there is no name, or if the value is not a number.
using AssignmentParser = std::function<std::pair<std::string, double>(const std::string& word)>;

/// @param[out] exit_code  set when a subcommand has run
/// @param[in]  parse      the program passes the parser that its local subcommands use
void addParameterCommands(CLI::App& app, int& exit_code, AssignmentParser parse);

}  // namespace tactus::client
