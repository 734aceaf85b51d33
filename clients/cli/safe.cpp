#include "clients/cli/safe.h"

#include "clients/cli/remote.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace tactus::client {
namespace {

struct Choices {
  std::string server = kDefaultServer, session;
  bool json = false;
};

using Act = v1::Session (Session::*)(std::string) const;

// "INPUT_MODE_RAMPING" -> "ramping"
std::string wordOf(v1::InputMode mode) {
  std::string word = v1::InputMode_Name(mode).substr(std::string("INPUT_MODE_").size());
  for (char& letter : word) letter = static_cast<char>(letter - 'A' + 'a');
  return word;
}

void run(const Choices& choices, Act act) {
  const Client client(choices.server);
  const Session session = chooseSession(client, choices.session);
  const v1::Session status = (session.*act)({});
  if (choices.json) {
    const nlohmann::ordered_json document = {
        {"session", status.name()}, {"tick", status.tick()}, {"input_mode", wordOf(status.input_mode())}};
    std::printf("%s\n", document.dump(2).c_str());
  } else {
    std::printf("session %s at tick %lld: %s\n", status.name().c_str(), static_cast<long long>(status.tick()),
                wordOf(status.input_mode()).c_str());
  }
}

void addCommand(CLI::App& app, int& exit_code, const char* name, const char* what, Act act) {
  auto choices = std::make_shared<Choices>();
  CLI::App* command = app.add_subcommand(name, what);
  command->add_option("--server", choices->server, "Where the server listens: ADDR:PORT or unix:PATH")
      ->capture_default_str();
  command->add_option("--session", choices->session, "Name of the session; default: the only one");
  command->add_flag("--json", choices->json, "JSON in place of a line");
  command->callback([choices, act, &exit_code] { exit_code = exitCodeOf([&] { run(*choices, act); }); });
}

}  // namespace

void addSafeCommands(CLI::App& app, int& exit_code) {
  addCommand(app, exit_code, "safe", "Take the actuators of a session to their safe values", &Session::enterSafeState);
  addCommand(app, exit_code, "clear", "Leave the safe state of a session", &Session::clearSafeState);
}

}  // namespace tactus::client
