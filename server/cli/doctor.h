// `tactus doctor`: is this host fit for a real-time session?
#pragma once

#include <CLI/CLI.hpp>

namespace tactus::server {

/// Adds the subcommand. When it has run, `exit_code` is 0; 1 if anything is graded poor; 2 (usage); 5 with --require-rt
/// if not all was granted.
void addDoctorCommand(CLI::App& app, int& exit_code);

}  // namespace tactus::server
