// `tactus integrators`: the methods that `tactus run --integrator` accepts.
#pragma once

namespace CLI {
class App;
}

namespace tactus::server {

void addIntegratorsCommand(CLI::App& app, int& exit_code);

}  // namespace tactus::server
