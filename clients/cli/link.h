// `tactus link`: opens, lists and closes the datagram links of devices.
#pragma once

namespace CLI {
class App;
}

namespace tactus::client {

/// Adds the subcommand to the program. When it has run, `exit_code` is 0, 1, 2 (usage) or 3 (server unreachable).
void addLinkCommand(CLI::App& app, int& exit_code);

}  // namespace tactus::client
