// `tactus safe` and `tactus clear`: into the safe state of a running session, and out of it.
#pragma once

namespace CLI {
class App;
}

namespace tactus::client {

/// Adds both subcommands to the program. When one has run, `exit_code` is 0, 2 (usage), 3 (server unreachable) or 1.
void addSafeCommands(CLI::App& app, int& exit_code);

}  // namespace tactus::client
