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

void run(const RemoteChoices& choices, SafeStateAct act) {
  const Client client = connect(choices);
  const Session session = chooseSession(client, choices.session);
  const v1::Session status = (session.*act)({});
  const std::string mode = text::enumWord(*v1::InputMode_descriptor(), status.input_mode());
  if (choices.json) {
    fmt::print("{}", text::jsonText({{"session", status.name()}, {"tick", status.tick()}, {"input_mode", mode}}));
  } else {
    fmt::print("session {} at tick {}: {}\n", status.name(), status.tick(), mode);
  }
}

void addCommand(CLI::App& app, int& exit_code, const char* name, const char* description, SafeStateAct act) {
  auto choices = std::make_shared<RemoteChoices>();
  CLI::App* command = addRemoteCommand(app, name, description, *choices);
  addSessionOption(*command, *choices);
  onCall(*command, exit_code, [choices, act] {
    run(*choices, act);
    return text::kExitOk;
  });
}

}  // namespace

void addSafeCommands(CLI::App& app, int& exit_code) {
  addCommand(app, exit_code, "safe", "Take the actuators of a session to their safe values", &Session::enterSafeState);
  addCommand(app, exit_code, "clear", "Leave the safe state of a session", &Session::clearSafeState);
}

}  // namespace tactus::client
