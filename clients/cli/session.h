// `tactus session`: the sessions of a running server.
#pragma once

#include "clients/cli/parameters.h"

namespace CLI {
class App;
}

namespace tactus::client {

/// "NAME=VALUE" of a parameter of the model, and of a setting of the solver, whose flags may be true or false.
struct SessionParsers {
  AssignmentParser parameter, setting;
};

void addSessionCommand(CLI::App& app, int& exit_code, SessionParsers parsers);

}  // namespace tactus::client
