// `tactus model draw`: a picture of a model by the scene of the live view, in a browser without a window.
#pragma once

namespace CLI {
class App;
}

namespace tactus::client {

/// Adds the subcommand to `tactus model`. It becomes a program of clients/web. If it cannot, `exit_code` is 2 (usage)
/// or 1 (no Node, or the view is not built).
void addDrawCommand(CLI::App& model, int& exit_code);

}  // namespace tactus::client
