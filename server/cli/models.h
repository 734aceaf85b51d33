// `tactus models`: the built-in models.
#pragma once

namespace CLI {
class App;
}

namespace tactus::server {

/// Adds the subcommand. When it has run, `exit_code` is set (proto/text/exit_code.h).
void addModelsCommand(CLI::App& app, int& exit_code);

}  // namespace tactus::server
