// `tactus qualify`: tests whether a model is fit for a period on this machine.
#pragma once

namespace CLI {
class App;
}

namespace tactus::server {

void addQualifyCommand(CLI::App& app, int& exit_code);

}  // namespace tactus::server
