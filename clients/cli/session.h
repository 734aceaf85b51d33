// `tactus session`: the sessions of a running server.
#pragma once

namespace CLI {
class App;
}

namespace tactus::client {

void addSessionCommand(CLI::App& app, int& exit_code);

}  // namespace tactus::client
