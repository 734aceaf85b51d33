// The frame of every example program.
#pragma once

#include "clients/cpp/error.h"
#include "clients/cpp/session.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

namespace tactus::example {

/// The first input of a session.
/// @throws std::runtime_error  if the model has no inputs
inline const std::string& firstInput(const client::Session& session) {
  if (session.inputs().empty())
    throw std::runtime_error("session '" + session.name() + "' has no inputs to drive; choose another model");
  return session.inputs().front();
}

/// Reads the command line, then runs. Errors go to stderr.
/// @returns the exit status: 0; 2 for an error of usage; 3 if no server answers; 1 for any other error
template <class Run>
int runExample(CLI::App& app, int argc, char** argv, Run run) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) { return app.exit(error) == 0 ? 0 : 2; }
  try {
    run();
    return 0;
  } catch (const client::ClientError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return error.unreachable() ? 3 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

}  // namespace tactus::example
