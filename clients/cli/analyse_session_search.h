// `tactus analyse session equilibrium` and `trim`: searches that begin with the newest tick of a running session.
#pragma once

#include "clients/cli/parameters.h"
#include "clients/cli/remote.h"

#include <memory>

namespace CLI {
class App;
}

namespace tactus::client {

/// Adds the subcommands `equilibrium` and `trim` to `analyse session`. Server, session and credentials may stand before
/// or behind their names. Their exit code is 1 for an equilibrium that is
/// unstable or in a singular pose and for an input out of range, as with a model.
/// @param outer  choices of `analyse session`
void addSessionSearchCommands(CLI::App& session, int& exit_code, const AssignmentParser& parse,
                              const std::shared_ptr<const RemoteChoices>& outer);

}  // namespace tactus::client
