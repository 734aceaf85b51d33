// The configuration of a server with device links on a port that the system chooses.
#pragma once

#include "server/config.h"

namespace tactus::server::tests {

inline Config withUdp() {
  Config config;
  config.udp = parseUdpEndpoint("127.0.0.1:0", false);
  return config;
}

}  // namespace tactus::server::tests
