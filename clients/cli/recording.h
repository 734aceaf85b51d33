// `tactus recording`: start, stop, list and download the recordings of a running server.
#pragma once

namespace CLI {
class App;
}

namespace tactus::client {

/// Adds the subcommands `start`, `stop`, `download` and `list`. When one has run, `exit_code` is 0, 2 (usage), 3
/// (server unreachable) or 1 (refused, or an incomplete recording).
void addRecordingCommand(CLI::App& app, int& exit_code);

}  // namespace tactus::client
