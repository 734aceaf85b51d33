// `tactus doctor`: checks this host for real-time use.
#pragma once

namespace CLI {
class App;
}

namespace tactus::server {

/// Adds the subcommand. When it has run, `exit_code` is 0; 1 if a grade is poor; 2 (usage); 5 with --require-rt
/// if a request was not granted.
void addDoctorCommand(CLI::App& app, int& exit_code);

}  // namespace tactus::server
