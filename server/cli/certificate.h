// `tactus certificate`: a small certificate authority for benches.
#pragma once

namespace CLI {
class App;
}

namespace tactus::server {

/// Adds the subcommand. When it has run, `exit_code` is set (proto/text/exit_code.h).
void addCertificateCommand(CLI::App& app, int& exit_code);

}  // namespace tactus::server
