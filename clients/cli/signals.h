// `tactus signals`: the signal directory of a model or of a running session.
#pragma once

#include "tactus/v1/state.pb.h"

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tactus::client {

/// The signals of the model that MODEL names. Throws a std::exception if there is no such model, or if it is not valid.
using ModelSignals = std::function<std::vector<v1::Signal>(const std::string& model)>;

/// Adds the subcommand to the program. When it has run, `exit_code` is 0, 2 (usage, invalid model),
/// 3 (server unreachable) or 1.
/// @param[in] of_model  reads models; the program passes the reader of the server
void addSignalsCommand(CLI::App& app, int& exit_code, ModelSignals of_model);

}  // namespace tactus::client
