#include "clients/cpp/connection.h"

#include <grpcpp/create_channel.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <utility>

namespace tactus::client {
namespace {

/// The first attempt to connect may fail although the server listens: gRPC 1.51 reads errno after other calls have
/// changed it, for example to the ENOENT of an allocator that reads the number of cores. So every connection is retried
/// for this time.
constexpr std::chrono::milliseconds kConnectAgain{300};
/// Retry time of a stream, whose server has answered before.
constexpr std::chrono::milliseconds kReconnectStream{2000};

void waitForServer(grpc::Channel& channel, std::chrono::milliseconds wait) {
  channel.WaitForConnected(std::chrono::system_clock::now() + wait);
}

std::shared_ptr<grpc::Channel> openChannel(const std::string& address,
                                           const std::shared_ptr<grpc::ChannelCredentials>& credentials,
                                           bool for_stream) {
  grpc::ChannelArguments arguments;

  // Detect a silent server within 15 s, with and without open calls.
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 10'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 5'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);

  // Find a starting server soon; ignore HTTP proxies, since the server is on this host or in its network.
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 1'000);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);

  // The transport must not queue frames for a slow reader: the window is small and stays small.
  if (for_stream) {
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    arguments.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);
    arguments.SetInt(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, 16 * 1024);
  }
  return grpc::CreateCustomChannel(address, credentials, arguments);
}

}  // namespace

std::string reachableAddress(const std::string& socket, const std::string& server) {
  const std::size_t port = socket.rfind(':');
  const bool is_v6 = socket.starts_with("[::]:");
  if (port == std::string::npos || !(is_v6 || socket.starts_with("0.0.0.0:"))) return socket;
  if (server.starts_with("unix:")) return (is_v6 ? "[::1]" : "127.0.0.1") + socket.substr(port);
  return server.substr(0, server.rfind(':')) + socket.substr(port);
}

Connection::Connection(std::string address, ConnectOptions options)
    : address_(std::move(address)),
      options_(std::move(options)),
      credentials_(openCredentials(options_.credentials, address_)) {
  const auto channel = openChannel(address_, credentials_.channel, false);
  waitForServer(*channel, std::max(options_.wait, kConnectAgain));
  stub_ = v1::Simulation::NewStub(channel);
}

std::unique_ptr<Connection::Stub> Connection::streamStub() const {
  const auto channel = openChannel(address_, credentials_.channel, true);
  waitForServer(*channel, std::min(options_.deadline, kReconnectStream));
  return v1::Simulation::NewStub(channel);
}

void Connection::identify(grpc::ClientContext& context) const {
  if (!credentials_.authorization.empty()) context.AddMetadata("authorization", credentials_.authorization);
}

std::string newRequestId() {
  thread_local std::random_device random;
  char text[33];
  std::snprintf(text, sizeof text, "%08x%08x%08x%08x", random(), random(), random(), random());
  return text;
}

}  // namespace tactus::client
