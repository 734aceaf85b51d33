// `tactus session`: the sessions of a running server.
#pragma once

#include "clients/cli/parameters.h"

#include "tactus/v1/model.pb.h"

#include <functional>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace tactus::client {

/// The model of the file that MODEL names; none if MODEL names no file. Throws a std::exception if there is no such
/// file, or if its model is not valid.
using ModelFileReader = std::function<std::optional<v1::Model>(const std::string& model)>;

/// What the program passes in: "NAME=VALUE" of a parameter of the model, and of a setting of the solver, whose flags
/// may be true or false; the reader of model files.
struct SessionParsers {
  AssignmentParser parameter, setting;
  ModelFileReader model_file;
};

void addSessionCommand(CLI::App& app, int& exit_code, SessionParsers parsers);

}  // namespace tactus::client
