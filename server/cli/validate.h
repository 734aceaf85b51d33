// `tactus validate`: compares the real-time solver with other methods and a precise reference.
#pragma once

namespace CLI {
class App;
}

namespace tactus::server {

void addValidateCommand(CLI::App& app, int& exit_code);

}  // namespace tactus::server
