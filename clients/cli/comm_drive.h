// The test drive of `tactus commtest`: its own session, and an input for each state, by gRPC or by datagrams.
#pragma once

#include "clients/cli/commtest.h"
#include "clients/cpp/client.h"

#include <cstdint>
#include <string>

namespace tactus::client {

struct CommDrive {
  std::string model = "motor_four_bar";
  std::int64_t duration_ns = 10'000'000'000, period_ns = 1'000'000;
  bool udp = false;  // datagrams instead of a Tick stream
};

/// @throws ClientError; std::system_error if a socket cannot be opened
CommResult driveSession(const Client& client, const CommDrive& drive);

}  // namespace tactus::client
