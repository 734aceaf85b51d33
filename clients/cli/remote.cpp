#include "clients/cli/remote.h"

#include "clients/cli/command_names.h"
#include "clients/cpp/server_options.h"
#include "proto/text/enum_word.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace tactus::client {

void addServerOption(CLI::App& command, RemoteChoices& choices) {
  addServerOption(command, choices.server, choices.credentials);
}

Client connect(const RemoteChoices& choices) {
  return Client(choices.server, {.credentials = choices.credentials});
}

void addSessionOption(CLI::App& command, RemoteChoices& choices) {
  command.add_option("--session", choices.session, "Name of the session; default: the only one");
}

void addJsonFlag(CLI::App& command, RemoteChoices& choices) {
  command.add_flag("--json", choices.json, "Print JSON");
}

CLI::App* addRemoteCommand(CLI::App& parent, const std::string& name, const std::string& description,
                           RemoteChoices& choices) {
  CLI::App* command = parent.add_subcommand(name, description);
  addServerOption(*command, choices);
  addJsonFlag(*command, choices);
  return command;
}

Session chooseSession(const Client& client, const std::string& name, const std::string& word) {
  if (!name.empty()) return client.session(name);
  const auto sessions = client.sessions();
  if (sessions.size() == 1) return client.session(sessions.front().name());

  if (sessions.empty()) throw refused(word, "the server runs no session");
  std::string hint = "choose one of";
  for (const v1::Session& session : sessions) hint += " " + session.name();
  throw refused(word, "the server runs more than one session", hint);
}

ClientError refused(const std::string& option, const std::string& why, const std::string& hint) {
  v1::ErrorDetail detail;
  detail.set_reason("REQUEST_INVALID");
  detail.set_field(option);
  detail.set_hint(hint);
  return ClientError(grpc::StatusCode::INVALID_ARGUMENT, why, detail);
}

std::string clockWord(v1::ClockMode clock) {
  std::string word = text::enumWord(*v1::ClockMode_descriptor(), clock);
  std::replace(word.begin(), word.end(), ' ', '-');
  return word;
}

int exitCodeOf(const std::function<void()>& subcommand) {
  try {
    subcommand();
    return text::kExitOk;
  } catch (const ClientError& error) {
    fmt::print(stderr, "tactus: {}\n", inCommands(error.what()));
    return error.unreachable() ? text::kExitUnreachable : text::kExitUsage;
  } catch (const std::exception& error) {
    fmt::print(stderr, "tactus: {}\n", error.what());
    return text::kExitUsage;
  }
}

void onCall(CLI::App& command, int& exit_code, std::function<int()> run) {
  command.callback([&exit_code, run = std::move(run)] {
    int code = text::kExitOk;
    const int error = exitCodeOf([&] { code = run(); });
    exit_code = error != text::kExitOk ? error : code;
  });
}

}  // namespace tactus::client
