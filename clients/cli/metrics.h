// `tactus metrics`: the timing reports of a server as a page that Prometheus reads.
#pragma once

namespace CLI {
class App;
}

namespace tactus::client {

void addMetricsCommand(CLI::App& app, int& exit_code);

}  // namespace tactus::client
