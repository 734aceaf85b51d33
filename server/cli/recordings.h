// `tactus replay`, `tactus diff`, `tactus export`: work with recordings without a server.
#pragma once

#include <CLI/App.hpp>

namespace tactus::server {

void addReplayCommand(CLI::App& app, int& exit_code);
void addDiffCommand(CLI::App& app, int& exit_code);
void addExportCommand(CLI::App& app, int& exit_code);

}  // namespace tactus::server
