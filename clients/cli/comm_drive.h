// The test drive of `tactus commtest`: a session of its own, an input for each state, over either way.
#pragma once

#include "clients/cli/commtest.h"
#include "clients/cpp/client.h"

#include <string>

namespace tactus::client {

struct CommDrive {
  std::string model = "motor_four_bar";
  double duration = 10.0, period = 1e-3;  // s
  bool udp = false;                       // datagrams in place of a Tick stream
};

/// @throws ClientError; std::system_error for a socket that cannot be had
CommResult driveSession(const Client& client, const CommDrive& drive);

}  // namespace tactus::client
