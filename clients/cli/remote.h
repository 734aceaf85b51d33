// What the remote subcommands share: their options, the session that they speak to, and exit codes.
#pragma once

#include "clients/cpp/client.h"
#include "proto/text/exit_code.h"

#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace tactus::client {

inline constexpr const char* kDefaultServer = "127.0.0.1:50051";

/// Choices that several remote subcommands offer.
struct RemoteChoices {
  std::string server = kDefaultServer, session;
  Credentials credentials = Credentials::fromEnvironment();
  bool json = false;
};

/// Adds --server, and the options of addCredentialOptions() (clients/cpp/server_options.h).
void addServerOption(CLI::App& command, RemoteChoices& choices);

/// A connection to the chosen server. @throws ClientError
Client connect(const RemoteChoices& choices);

/// Adds --session. An empty name stands for the only session of the server.
void addSessionOption(CLI::App& command, RemoteChoices& choices);

/// Adds --json.
void addJsonFlag(CLI::App& command, RemoteChoices& choices);

/// Adds a subcommand with --server and --json.
CLI::App* addRemoteCommand(CLI::App& parent, const std::string& name, const std::string& description,
                           RemoteChoices& choices);

/// The session of that name; with an empty name, the only one that runs.
/// @throws ClientError  SESSION_UNKNOWN; REQUEST_INVALID with the names if there is none or more than one
Session chooseSession(const Client& client, const std::string& name, const std::string& word = "--session");

/// The error for an option or argument that cannot be used, REQUEST_INVALID. @param[in] hint  what to do; may be empty
ClientError refused(const std::string& option, const std::string& why, const std::string& hint = "");

/// "real-time", "free-run", ...: the words of `tactus serve --clock`.
std::string clockWord(v1::ClockMode clock);

/// Runs a subcommand and reports its error on stderr, with commands in place of the calls that the server names.
/// @returns kExitOk; kExitUnreachable if no server answers; kExitUsage for any other error
int exitCodeOf(const std::function<void()>& subcommand);

/// Has the command run a function when it is chosen, and set the exit code.
/// @param[in] run  returns the exit code of a success: kExitOk, or kExitFinding for a finding
void onCall(CLI::App& command, int& exit_code, std::function<int()> run);

}  // namespace tactus::client
