// The watch over the bytes of all connections that the process has accepted: it closes those that overdraw their
// FrameBudget, before gRPC sees more of them.
//
// gRPC 1.51 has no hook between a socket and its transport, and a relay in front of it would cost a tick in lockstep
// two more hand-overs between threads. So the program defines the functions by which gRPC moves bytes (accept4, recvmsg
// and sendmsg of libc, SSL_read and SSL_write of OpenSSL), as a replacement of malloc does; each calls the one of its
// library and counts what has passed. Other users of these functions, such as UDP, are not counted.
#pragma once

#include <cstdint>

namespace tactus::server {

struct TrafficCounts {
  std::uint64_t connections;  ///< plaintext connections accepted and connections of TLS that have sent something
  std::uint64_t closed;       ///< of them, those that have overdrawn their budget
};

/// Of the process, since it began. Whoever listens calls this once, so that the linker takes the functions above.
TrafficCounts trafficCounts() noexcept;

/// Shuts down every connection that the process has accepted, TLS or not. What gRPC still wants to write there fails.
void closeConnections() noexcept;

}  // namespace tactus::server
