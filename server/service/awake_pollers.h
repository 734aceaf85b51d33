// The threads of gRPC that read from the connections do not sleep.
//
// The server has methods of the callback API, so gRPC 1.51 lets only the threads of that API read from the connections,
// for all methods; and each of them sleeps for 100 ms after a second in which no callback was due, whatever else is. A
// call that comes while all of them sleep waits for the rest of it: once in 1.1 s with a server that has no streams.
// The program therefore defines the function by which they sleep, as it does for others in server/door/traffic_watch.h.
#pragma once

#include <cstdint>

namespace tactus::server {

/// How many such sleeps have not taken place, since the process began. Whoever listens calls this once, so that the
/// linker takes the function.
std::uint64_t sparedSleeps() noexcept;

}  // namespace tactus::server
