// The number of reflection streams of a server: each of them keeps a thread of gRPC for as long as a client likes.
#pragma once

#include <grpcpp/support/server_interceptor.h>

#include <cstddef>
#include <memory>

namespace tactus::server {

/// Cancels each reflection stream beyond `limit`. Other calls are not touched.
std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface> limitReflection(std::size_t limit);

}  // namespace tactus::server
