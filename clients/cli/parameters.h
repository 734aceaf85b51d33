// `tactus get` and `tactus set`: parameters of a running session.
#pragma once

namespace CLI {
class App;
}

namespace tactus::client {

/// @param[out] exit_code  set when a subcommand has run
void addParameterCommands(CLI::App& app, int& exit_code);

}  // namespace tactus::client
