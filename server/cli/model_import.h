// `tactus model import`.
#pragma once

namespace CLI {
class App;
}

namespace tactus::server {

/// Adds the subcommand to `model`. When it has run, `exit_code` is 0; 1 if --strict finds a loss that can change the
/// motion; 2 if the file cannot be imported.
void addImport(CLI::App& model_command, int& exit_code);

}  // namespace tactus::server
