// `tactus sweep`: many cases of one plan, by the Python package.
#pragma once

namespace CLI {
class App;
}

namespace tactus::client {

/// Adds the subcommand. It becomes a program of clients/python, which reads its words. If it cannot, `exit_code` is 1.
void addSweepCommand(CLI::App& app, int& exit_code);

}  // namespace tactus::client
