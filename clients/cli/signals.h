// `tactus signals`: the signal directory of a model or of a running session.
#pragma once

namespace CLI {
class App;
}

namespace tactus::client {

/// Adds the subcommand to the program. When it has run, `exit_code` is 0, 2 (usage, invalid model),
/// 3 (server unreachable) or 1.
void addSignalsCommand(CLI::App& app, int& exit_code);

}  // namespace tactus::client
