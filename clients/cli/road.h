// `tactus road`: the surface of a road of a running session under points.
#pragma once

namespace CLI {
class App;
}

namespace tactus::client {

/// Adds the subcommand. When it has run, `exit_code` is 0, 2 (usage), 3 (server unreachable) or 1.
void addRoadCommand(CLI::App& app, int& exit_code);

}  // namespace tactus::client
