// `tactus validate`: compares the real-time solver with other methods and a precise reference.
#pragma once

#include <CLI/CLI.hpp>

namespace tactus::server {

void addValidateCommand(CLI::App& app, int& exit_code);

}  // namespace tactus::server
