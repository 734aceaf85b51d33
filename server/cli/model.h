// `tactus model` and its subcommands.
#pragma once

namespace CLI {
class App;
}

namespace tactus::server {

/// Adds the subcommand. When it has run, `exit_code` is 0, or 2 for a model that cannot be read or is not valid.
void addModelCommand(CLI::App& app, int& exit_code);

}  // namespace tactus::server
