// The test drive of `tactus commtest`: a session of its own, an input for each state, over either way.
#pragma once

#include "clients/cli/commtest.h"
#include "clients/cpp/client.h"

#include <cstdint>
#include <string>

namespace tactus::client {

struct CommDrive {
  std::string model = "motor_four_bar";
  std::int64_t duration_ns = 10'000'000'000, period_ns = 1'000'000;
  bool udp = false;  // datagrams in place of a Tick stream
};

/// @throws ClientError; std::system_error for a socket that cannot be had
CommResult driveSession(const Client& client, const CommDrive& drive);

}  // namespace tactus::client
