// The server of the bare round trip, once for each API of gRPC.
#pragma once

#include <string>

namespace tactus::bench {

enum class Api { kSync, kCallback };

inline const char* toString(Api api) {
  return api == Api::kSync ? "sync" : "callback";
}

/// Serves PingPong on a loopback port and on a Unix socket until the process is terminated.
/// Writes the chosen TCP port as a line of text to `ready_fd` when both accept connections.
///
/// @param hand_offs  two thread hand-offs between the read and the write, as in a server with a tick thread
/// @param outputs    number of doubles in each response
/// @returns the exit status for the process, if it could not start
int servePingPong(Api api, bool hand_offs, int outputs, const std::string& unix_path, int ready_fd);

}  // namespace tactus::bench
