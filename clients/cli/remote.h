// What the remote subcommands share: finding a session, and exit codes.
#pragma once

#include "clients/cpp/client.h"

#include <functional>
#include <string>

namespace tactus::client {

inline constexpr const char* kDefaultServer = "127.0.0.1:50051";

// Exit codes of the program, see `tactus --help`.
inline constexpr int kExitFinding = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitUnreachable = 3;

/// The session of that name; with an empty name, the only one that runs.
/// @throws ClientError  SESSION_UNKNOWN; REQUEST_INVALID listing the names if there is none or more than one
Session chooseSession(const Client& client, const std::string& name);

/// Runs a subcommand and says on stderr what went wrong.
/// @returns 0; 2 for wrong names and other bad requests; 3 if the server is unreachable; 1 otherwise
int exitCodeOf(const std::function<void()>& subcommand);

}  // namespace tactus::client
