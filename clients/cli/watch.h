// `tactus watch`: a live table of signals of a running session.
#pragma once

namespace CLI {
class App;
}

namespace tactus::client {

/// Adds the subcommand to the program. When it has run, `exit_code` is kExitOk, kExitUsage, kExitUnreachable or
/// kExitFinding.
void addWatchCommand(CLI::App& app, int& exit_code);

}  // namespace tactus::client
