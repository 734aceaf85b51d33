// `tactus signals`: the signal directory of a model or of a running session.
#pragma once

#include "server/model_io/model_file.h"

#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace tactus::client {

/// Reads the model that MODEL names. Throws Error if there is none.
using ModelOpener = std::function<server::ModelDocument(const std::string& model)>;

/// Adds the subcommand to the program. When it has run, `exit_code` is 0, 2 (usage, invalid model),
/// 3 (server unreachable) or 1.
/// @param[in] open  the program gives one that knows its built-in models
void addSignalsCommand(CLI::App& app, int& exit_code, ModelOpener open = server::readModelFile);

}  // namespace tactus::client
