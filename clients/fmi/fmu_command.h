// `tactus fmu`: models as units of FMI.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace tactus::fmi {

/// Adds the subcommand; it sets `exit_code` when it runs.
/// @param tool  name and version of the program, for the units that it makes
void addFmuCommand(CLI::App& app, int& exit_code, const std::string& tool);

}  // namespace tactus::fmi
