#include "server/service/server.h"

#include "server/door/grpc_log.h"
#include "server/door/traffic_watch.h"
#include "server/door/transport.h"
#include "server/service/awake_pollers.h"
#include "server/service/connection_guard.h"
#include "server/service/reflection_limit.h"
#include "server/service/unix_socket.h"

#include <google/protobuf/stubs/logging.h>
#include <grpc/grpc.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/resource_quota.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server_builder.h>

#include <netdb.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace tactus::server {

namespace {

// Time for streams to end by themselves, then for all other calls, and for the connections after calls are cancelled.
constexpr std::chrono::milliseconds kStreamTime{450}, kCallTime{150}, kConnectionTime{100};

/// Closes all connections after a while, unless it is destroyed before. A call that is cancelled ends only when the
/// write under way on its connection ends, and a client that does not read delays that as long as it wants.
class ConnectionDeadline {
 public:
  explicit ConnectionDeadline(std::chrono::nanoseconds time)
      : thread_([this, time] {
          std::unique_lock lock(mutex_);
          if (!changed_.wait_for(lock, time, [this] { return ended_; })) closeConnections();
        }) {}
  ~ConnectionDeadline() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  ConnectionDeadline(const ConnectionDeadline&) = delete;
  ConnectionDeadline& operator=(const ConnectionDeadline&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
  std::thread thread_;
};

// Why nothing can listen on ADDR:PORT; empty if something can. gRPC would log a line of its own for each cause.
std::string obstacleAt(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  std::string host = address.substr(0, colon);
  if (host.size() > 2 && host.front() == '[') host = host.substr(1, host.size() - 2);
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  if (const int error = ::getaddrinfo(host.c_str(), address.c_str() + colon + 1, &hints, &found); error != 0)
    return ::gai_strerror(error);
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> list(found, ::freeaddrinfo);
  const int fd = ::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return std::strerror(errno);
  const int reuse = 1;
  ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof reuse);
  const bool free = ::bind(fd, found->ai_addr, found->ai_addrlen) == 0;
  const int error = errno;
  ::close(fd);
  if (free) return {};
  return error == EADDRINUSE ? "another program listens there; end it, or choose another port with --listen"
                             : std::strerror(error);
}

void setTransport(grpc::ServerBuilder& builder, const Limits& limits) {
  builder.SetMaxReceiveMessageSize(limits.message_bytes);
  builder.SetMaxSendMessageSize(limits.message_bytes);
  grpc::ResourceQuota quota("tactus");
  quota.SetMaxThreads(limits.threads);
  builder.SetResourceQuota(quota);
  // A client that keeps to this limit is never closed by the guard of connections.
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, static_cast<int>(limits.calls - limits.calls / 8));

  // A port in use is an error; ports are not shared.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);

  // A lost client is noticed within 15 s; clients may send a keepalive every 5 s.
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, 10'000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 5'000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 5'000);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PING_STRIKES, 10);
}

// The end of the last server of a process would shut gRPC down, which waits up to 10 s for a thread of gRPC that polls
// for a connection whose client has not read what it was sent. With one more user gRPC lasts as long as the process.
void keepGrpc() {
  static const bool kept = (::grpc_init(), true);
  static_cast<void>(kept);
}

// libprotobuf writes a line for each message whose text is not UTF-8: a log that grows as fast as a client sends. The
// client gets an error for its call; what ends the process is still written.
void quietProtobuf() {
  google::protobuf::SetLogHandler(
      [](google::protobuf::LogLevel level, const char* file, int line, const std::string& message) {
        if (level == google::protobuf::LOGLEVEL_FATAL)
          std::fprintf(stderr, "libprotobuf %s:%d: %s\n", file, line, message.c_str());
      });
}

const Config& checked(const Config& config) {
  requireGuarded(config);
  checkCertificates(config.access);
  return config;
}

}  // namespace

Server::Server(const Config& config, const std::function<void(SimulationService&)>& prepare)
    : endpoint_(config.endpoint), service_(checked(config)) {
  keepGrpc();
  quietProtobuf();
  takeGrpcLog();
  if (prepare) prepare(service_);
  grpc::EnableDefaultHealthCheckService(true);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  listen(config);
  server_->GetHealthCheckService()->SetServingStatus(true);
  server_->GetHealthCheckService()->SetServingStatus(v1::Simulation::service_full_name(), true);
}

void Server::listen(const Config& config) {
  const bool local = !endpoint_.unix_path.empty();
  if (local) socket_ = std::make_unique<UnixSocket>(endpoint_);
  if (!local)
    if (const std::string obstacle = obstacleAt(endpoint_.address); !obstacle.empty())
      throw Error("cannot listen on " + endpoint_.address + ": " + obstacle);

  // Both take functions that replace those of libraries into the program.
  trafficCounts();
  sparedSleeps();
  grpc::ServerBuilder builder;
  int port = 0;
  IsRevoked revoked;
  if (!config.access.tls_crl.empty())
    revoked = [this](const std::string& certificate) { return service_.door().isRevoked(certificate); };
  const Transport transport = makeTransport(config.access, revoked, [this](const std::string& authorities) {
    service_.door().reloadCertificates(authorities);
    service_.links().closeNotAdmitted();
  });
  certificates_ = transport.certificates;
  // Their file may have changed since the door has read it.
  if (certificates_) certificates_->reloadAuthorities();
  builder.AddListeningPort(local ? socket_->address() : endpoint_.address, transport.credentials, &port);
  builder.RegisterService(&service_);
  setTransport(builder, config.limits);
  // Reflection knows no identities: where they are known, no stream of it is served.
  std::vector<std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>> creators;
  creators.push_back(guardConnections(config.limits.calls));
  creators.push_back(limitReflection(config.access.identifies() ? 0 : config.limits.reflection_streams));
  builder.experimental().SetInterceptorCreators(std::move(creators));

  // A Unix socket belongs to its user from the moment it exists.
  const mode_t mask = local ? ::umask(0177) : 0;
  server_ = builder.BuildAndStart();
  if (local) ::umask(mask);
  if (!server_ || port == 0)
    throw Error("cannot listen on " + endpoint_.address + ": the address is taken or not of this host");
  if (local) socket_->publish();
  address_ =
      local ? endpoint_.address : endpoint_.address.substr(0, endpoint_.address.rfind(':') + 1) + std::to_string(port);
}

void Server::reload() {
  // Nothing that is not valid keeps anything else in force. Only authorities and the list of what they have revoked
  // count together or not at all.
  std::string failures;
  const auto attempt = [&failures](const std::function<void()>& read) {
    try {
      read();
    } catch (const Error& error) { failures += (failures.empty() ? "" : "; ") + std::string(error.what()); }
  };
  Door& door = service_.door();
  attempt([&door] { door.reloadTokens(); });
  attempt([this, &door] {
    if (certificates_)
      certificates_->reloadAuthorities();
    else
      door.reloadCertificates("");
  });
  attempt([this] {
    if (certificates_) certificates_->reloadPair();
  });
  service_.links().closeNotAdmitted();
  if (!failures.empty()) throw Error(failures);
}

void Server::drain(const std::string& reason) {
  if (drained_) return;
  drained_ = true;
  server_->GetHealthCheckService()->SetServingStatus(false);
  if (certificates_) certificates_->end();
  // The trailer of a stream needs a connection, which a shutdown of gRPC would close under the last stream.
  service_.drain(reason, kStreamTime);
  {
    const ConnectionDeadline deadline(kCallTime + kConnectionTime);
    server_->Shutdown(std::chrono::system_clock::now() + kCallTime);
    server_->Wait();
  }
  endGrpcLog();
  socket_.reset();
}

Server::~Server() {
  drain("the server shuts down");
}

}  // namespace tactus::server
