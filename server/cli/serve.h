// `tactus serve`: the server, with one session that starts immediately.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tactus::server {

class Session;

/// What --fmu and its options say.
struct UnitsRequest {
  std::vector<std::string> units;               ///< NAME=FILE.fmu:MAP.json
  bool apart = false;                           ///< each in a process of its own
  std::int64_t call_limit_ns = 10'000'000'000;  ///< of a process of its own
};

/// Starts units as controllers of a session; they end with the returned object.
/// @throws Error with all that is wrong
using StartUnits =
    std::function<std::shared_ptr<void>(const std::shared_ptr<Session>& session, const UnitsRequest& request)>;

/// Adds the subcommand; without `start_units` it has no option --fmu. When it has run, `exit_code` is 0, 2 (usage,
/// invalid model, endpoint taken), 4 (the session ended in a fault, by its overrun policy, or in the safe state) or 5
/// (--require-rt, and a request was not granted).
void addServeCommand(CLI::App& app, int& exit_code, StartUnits start_units = {});

}  // namespace tactus::server
