#include "server/service/connection_guard.h"

#include "server/service/call_order.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <spdlog/spdlog.h>
#include <sys/socket.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>

namespace tactus::server {

namespace {

using grpc::experimental::InterceptionHookPoints;
using grpc::experimental::InterceptorBatchMethods;
using grpc::experimental::ServerRpcInfo;

/// The other end of a socket as gRPC writes it: "ipv4:127.0.0.1:40000" or "ipv6:%5B::1%5D:40000"; empty for others.
std::string peerOf(int fd) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getpeername(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) return {};
  char text[INET6_ADDRSTRLEN] = "";
  if (address.ss_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(address);
    ::inet_ntop(AF_INET, &v4.sin_addr, text, sizeof text);
    return "ipv4:" + std::string(text) + ":" + std::to_string(ntohs(v4.sin_port));
  }
  if (address.ss_family != AF_INET6) return {};
  const auto& v6 = reinterpret_cast<const sockaddr_in6&>(address);
  const std::string port = ":" + std::to_string(ntohs(v6.sin6_port));
  if (IN6_IS_ADDR_V4MAPPED(&v6.sin6_addr)) {
    ::inet_ntop(AF_INET, &v6.sin6_addr.s6_addr[12], text, sizeof text);
    return "ipv4:" + std::string(text) + port;
  }
  ::inet_ntop(AF_INET6, &v6.sin6_addr, text, sizeof text);
  return "ipv6:%5B" + std::string(text) + "%5D" + port;
}

/// gRPC does not say which socket a call came by: it is looked for among those of the process.
void shutDown(const std::string& peer) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", error)) {
    const int fd = std::atoi(entry.path().filename().c_str());
    if (peerOf(fd) == peer) ::shutdown(fd, SHUT_RDWR);
  }
}

/// Calls under way, by connection. Thread-safe.
class Connections {
 public:
  explicit Connections(std::size_t limit) : limit_(limit) {}

  void begin(const std::string& peer) {
    {
      const std::lock_guard lock(mutex_);
      Connection& connection = open_[peer];
      if (++connection.calls <= limit_ || connection.closed) return;
      connection.closed = true;
    }
    shutDown(peer);
    spdlog::warn("closed the connection of {}: more than {} calls under way, which only resets of streams bring about",
                 peer, limit_);
  }

  void end(const std::string& peer) {
    const std::lock_guard lock(mutex_);
    const auto found = open_.find(peer);
    if (found != open_.end() && --found->second.calls == 0) open_.erase(found);
  }

 private:
  struct Connection {
    std::size_t calls = 0;
    bool closed = false;
  };
  const std::size_t limit_;
  std::mutex mutex_;
  std::map<std::string, Connection> open_;
};

/// Lives as long as its call.
class CountedCall final : public grpc::experimental::Interceptor {
 public:
  CountedCall(ServerRpcInfo& info, std::shared_ptr<Connections> connections)
      : info_(info), connections_(std::move(connections)) {
    order_.release();
  }
  ~CountedCall() override {
    order_.acquire();
    if (!peer_.empty()) connections_->end(peer_);
  }

  void Intercept(InterceptorBatchMethods* methods) override {
    // The first hook at which the context knows its call.
    if (methods->QueryInterceptionHookPoint(InterceptionHookPoints::POST_RECV_INITIAL_METADATA)) count();
    methods->Proceed();
  }

 private:
  void count() {
    const CallOrder::Reaction reaction(order_);
    if (!peer_.empty()) return;
    const std::string peer = info_.server_context()->peer();
    if (!peer.starts_with("ipv")) return;
    peer_ = peer;
    connections_->begin(peer_);
  }

  ServerRpcInfo& info_;
  const std::shared_ptr<Connections> connections_;
  std::string peer_;
  CallOrder order_;
};

class CallCounter final : public grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  explicit CallCounter(std::size_t limit) : connections_(std::make_shared<Connections>(limit)) {}

  grpc::experimental::Interceptor* CreateServerInterceptor(ServerRpcInfo* info) override {
    // A Tick stream takes no thread, and an interceptor would look at each of its messages.
    const bool ticks = std::strcmp(info->method(), "/tactus.v1.Simulation/Tick") == 0;
    return ticks ? nullptr : new CountedCall(*info, connections_);
  }

 private:
  const std::shared_ptr<Connections> connections_;
};

}  // namespace

std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface> guardConnections(std::size_t limit) {
  return std::make_unique<CallCounter>(limit);
}

}  // namespace tactus::server
