// `tactus serve`: the server, with one session that starts at once.
#pragma once

#include <CLI/CLI.hpp>

namespace tactus::server {

/// Adds the subcommand. When it has run, `exit_code` is 0, 2 (usage, invalid model, endpoint taken), 4 (the session
/// ended at fault or by its overrun rule) or 5 (--require-rt, and not all was granted).
void addServeCommand(CLI::App& app, int& exit_code);

}  // namespace tactus::server
