// The client of the bare round trip, once for each API of gRPC.
#pragma once

#include "tests/bench/ping_pong_server.h"
#include "tests/bench/round_trip.h"

#include <memory>
#include <string>

namespace tactus::bench {

/// Connects to `address` ("127.0.0.1:50051", "unix:/path") and opens the stream.
/// @param inputs  number of doubles in each request
std::unique_ptr<RoundTripClient> connectPingPong(Api api, const std::string& address, int inputs);

}  // namespace tactus::bench
