// The number of calls that one connection may have under way.
//
// The number of open streams of a connection is limited by HTTP/2 (GRPC_ARG_MAX_CONCURRENT_STREAMS). A client that
// resets each stream at once is never above that limit, and yet each of its calls takes a thread for a while. Its calls
// under way are counted here; a client that keeps to the limit of streams never has that many.
#pragma once

#include <grpcpp/support/server_interceptor.h>

#include <cstddef>
#include <memory>

namespace tactus::server {

/// Shuts down a TCP connection with more than `limit` calls under way, Tick streams left aside; its client sees
/// UNAVAILABLE. The clients of a Unix socket, all of one user, cannot be told apart and are not counted.
std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface> guardConnections(std::size_t limit);

}  // namespace tactus::server
