// The number of reflection streams of a server: each of them keeps a thread of gRPC for as long as a client likes.
#pragma once

#include <grpcpp/server_builder.h>

#include <cstddef>

namespace tactus::server {

/// Cancels each reflection stream beyond `limit`. Other calls are not touched.
void limitReflection(grpc::ServerBuilder& builder, std::size_t limit);

}  // namespace tactus::server
