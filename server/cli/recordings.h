// `tactus replay`, `tactus diff`, `tactus export`: work with recordings without a server.
#pragma once

#include "tactus/v1/snapshot.pb.h"

#include <CLI/App.hpp>

#include <string>

namespace tactus::server {

void addReplayCommand(CLI::App& app, int& exit_code);
void addDiffCommand(CLI::App& app, int& exit_code);
void addExportCommand(CLI::App& app, int& exit_code);

/// As damageOf(), for the subcommands of clients: what is wrong with a snapshot; empty if nothing is.
std::string damageOfSnapshot(const v1::SessionSnapshot& snapshot);

}  // namespace tactus::server
