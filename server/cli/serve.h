// `tactus serve`: the server, with one session that starts immediately.
#pragma once

namespace CLI {
class App;
}

namespace tactus::server {

/// Adds the subcommand. When it has run, `exit_code` is 0, 2 (usage, invalid model, endpoint taken), 4 (the session
/// ended in a fault, by its overrun policy, or in the safe state) or 5 (--require-rt, and a request was not granted).
void addServeCommand(CLI::App& app, int& exit_code);

}  // namespace tactus::server
