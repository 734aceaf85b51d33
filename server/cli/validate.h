// `tactus validate`: the real-time solver beside other methods and a tight reference.
#pragma once

#include <CLI/CLI.hpp>

namespace tactus::server {

void addValidateCommand(CLI::App& app, int& exit_code);

}  // namespace tactus::server
