// `tactus run`: a model offline, from the command line.
#pragma once

namespace CLI {
class App;
}

namespace tactus::server {

/// Adds the subcommand; it sets `exit_code` when it runs.
void addRunCommand(CLI::App& app, int& exit_code);

}  // namespace tactus::server
