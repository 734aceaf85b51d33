// Errors of the server in the words of the command line: commands in place of calls of the service.
#pragma once

#include <string>
#include <string_view>

namespace tactus::client {

/// The command that does what a call does: "tactus session pause" for "PauseSession"; empty if there is none.
std::string_view commandOf(std::string_view call);

/// The text with `tactus session pause` in place of PauseSession, and so on; what stands in double quotes stays.
std::string inCommands(std::string_view text);

}  // namespace tactus::client
