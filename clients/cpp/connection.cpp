#include "clients/cpp/connection.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>

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

bool startsWith(const std::string& text, const char* prefix) {
  return text.rfind(prefix, 0) == 0;
}

bool staysOnThisHost(const std::string& address) {
  return startsWith(address, "unix:") || startsWith(address, "127.") || startsWith(address, "localhost:") ||
         startsWith(address, "[::1]:");
}

std::shared_ptr<grpc::Channel> openChannel(const std::string& address, bool for_stream) {
  grpc::ChannelArguments arguments;

  // Detect a silent server within 15 s, with and without open calls.
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 10'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 5'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);

  // Find a starting server soon; ignore HTTP proxies, since the server is on this host.
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 1'000);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);

  // The transport must not queue frames for a slow reader: the window is small and stays small.
  if (for_stream) {
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    arguments.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);
    arguments.SetInt(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, 16 * 1024);
  }
  return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments);
}

}  // namespace

Connection::Connection(std::string address, ConnectOptions options) : address_(std::move(address)), options_(options) {
  if (!staysOnThisHost(address_)) {
    v1::ErrorDetail detail;
    detail.set_reason("REQUEST_INVALID");
    detail.set_field("address");
    detail.set_hint("use 127.0.0.1:PORT, localhost:PORT, [::1]:PORT or unix:/PATH");
    throw ClientError(grpc::StatusCode::INVALID_ARGUMENT, "'" + address_ + "' is not an address on this host", detail);
  }
  const auto channel = openChannel(address_, false);
  waitForServer(*channel, std::max(options_.wait, kConnectAgain));
  stub_ = v1::Simulation::NewStub(channel);
}

std::unique_ptr<Connection::Stub> Connection::streamStub() const {
  const auto channel = openChannel(address_, true);
  waitForServer(*channel, std::min(options_.deadline, kReconnectStream));
  return v1::Simulation::NewStub(channel);
}

std::string newRequestId() {
  thread_local std::random_device random;
  char text[33];
  std::snprintf(text, sizeof text, "%08x%08x%08x%08x", random(), random(), random(), random());
  return text;
}

}  // namespace tactus::client
