// `tactus analyse`: linear systems, modes, equilibria and frequency responses of a model.
#pragma once

#include <CLI/CLI.hpp>

namespace tactus::server {

/// Adds the subcommand with its own subcommands, one file each.
void addAnalyseCommand(CLI::App& app, int& exit_code);

void addLinearizeCommand(CLI::App& analyse, int& exit_code);
void addModesCommand(CLI::App& analyse, int& exit_code);
void addEquilibriumCommand(CLI::App& analyse, int& exit_code);
void addSensitivityCommand(CLI::App& analyse, int& exit_code);
void addResponseCommand(CLI::App& analyse, int& exit_code);
void addTrimCommand(CLI::App& analyse, int& exit_code);

}  // namespace tactus::server
