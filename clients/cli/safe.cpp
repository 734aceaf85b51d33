#include "clients/cli/safe.h"

#include "clients/cli/remote.h"
#include "proto/text/enum_word.h"
#include "proto/text/json_text.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <memory>

namespace tactus::client {
namespace {

using SafeStateAct = v1::Session (Session::*)(std::string) const;

void run(const RemoteChoices& choices, SafeStateAct act, bool to_safe) {
  const Client client = connect(choices);
  const Session session = chooseSession(client, choices.session);
  const v1::Session status = (session.*act)({});
  const std::string mode = text::enumWord(*v1::InputMode_descriptor(), status.input_mode());
  // A request acts at the next tick, which a paused session does not have yet.
  const bool safe = status.input_mode() == v1::INPUT_MODE_SAFE || status.input_mode() == v1::INPUT_MODE_RAMPING;
  const bool in_force = safe == to_safe;
  if (choices.json) {
    fmt::print(
        "{}", text::jsonText(
                  {{"session", status.name()}, {"tick", status.tick()}, {"input_mode", mode}, {"in_force", in_force}}));
  } else {
    fmt::print("session {} at tick {}: {}{}\n", status.name(), status.tick(), mode,
               in_force ? "" : "; the request is in force from its next tick on");
  }
}

void addCommand(CLI::App& app, int& exit_code, const char* name, const char* description, SafeStateAct act,
                bool to_safe) {
  auto choices = std::make_shared<RemoteChoices>();
  CLI::App* command = addRemoteCommand(app, name, description, *choices);
  addSessionOption(*command, *choices);
  onCall(*command, exit_code, [choices, act, to_safe] {
    run(*choices, act, to_safe);
    return text::kExitOk;
  });
}

}  // namespace

void addSafeCommands(CLI::App& app, int& exit_code) {
  addCommand(app, exit_code, "safe", "Take the actuators of a session to their safe values", &Session::enterSafeState,
             true);
  addCommand(app, exit_code, "clear", "Leave the safe state of a session", &Session::clearSafeState, false);
}

}  // namespace tactus::client
