// `tactus view`: the live view in a browser, by the bridge of clients/web.
#pragma once

namespace CLI {
class App;
}

namespace tactus::client {

/// Adds the subcommand. It becomes the bridge, which runs until a signal ends it. If it cannot, `exit_code` is 2
/// (usage) or 1 (no Node, or the bridge is not built).
void addViewCommand(CLI::App& app, int& exit_code);

}  // namespace tactus::client
