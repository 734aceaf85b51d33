// `tactus recording`: begin, end and list the recordings of a running server.
#pragma once

namespace CLI {
class App;
}

namespace tactus::client {

/// Adds `recording start`, `recording stop` and `recording list`. When one has run, `exit_code` is 0, 2 (usage), 3
/// (server unreachable) or 1 (refused, or a recording that is not complete).
void addRecordingCommand(CLI::App& app, int& exit_code);

}  // namespace tactus::client
