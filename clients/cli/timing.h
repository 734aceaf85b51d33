// `tactus timing`: the timing report of a running session.
#pragma once

namespace CLI {
class App;
}

namespace tactus::client {

/// Adds the subcommand to the program. When it has run, `exit_code` is 0, 2 (usage), 3 (server unreachable) or 1.
void addTimingCommand(CLI::App& app, int& exit_code);

}  // namespace tactus::client
