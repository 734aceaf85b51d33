// `tactus analyse session`: the linear system of a session of a running server about its newest tick, its equilibrium
// and its trims.
#pragma once

#include "clients/cli/parameters.h"

namespace CLI {
class App;
}

namespace tactus::client {

/// Adds the subcommand `session` to `analyse`. Its exit code is 1 for modes or a response of a state that is no
/// equilibrium, as with a model.
void addAnalyseSessionCommand(CLI::App& analyse, int& exit_code, const AssignmentParser& parse);

}  // namespace tactus::client
