// Server: the service on an endpoint, with health, reflection, keepalive and an orderly shutdown.
#pragma once

#include "server/config.h"
#include "server/service/simulation_service.h"

#include <grpcpp/server.h>

#include <functional>
#include <memory>
#include <string>

namespace tactus::server {

class UnixSocket;
class WatchedCertificates;

class Server {
 public:
  /// Listens at once; port 0 takes a free port. `prepare` runs before the first client can call.
  /// @throws Error if the endpoint is in use or cannot be bound, if other hosts can reach it and config.access does not
  ///         guard it, or if a file of config.access is not valid; whatever `prepare` throws
  explicit Server(const Config& config, const std::function<void(SimulationService&)>& prepare = {});

  /// Drains, unless that was done before.
  ~Server();

  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  SimulationService& service() noexcept { return service_; }

  /// Reads the files of config.access again, as after SIGHUP. Calls with a token that is gone are cancelled;
  /// certificates that were replaced hold for new connections after two seconds at the latest.
  /// @throws Error naming each file that is not valid: what it held before stays in force, and the others are in force
  void reload();

  /// The address for clients, with the actual port.
  const std::string& address() const noexcept { return address_; }

  /// Refuses new calls, ends every stream with a notice that gives the reason, and returns when all calls have ended;
  /// calls that are still running after 0.6 s are cancelled.
  void drain(const std::string& reason);

 private:
  void listen(const Config& config);

  const Endpoint endpoint_;
  SimulationService service_;
  std::shared_ptr<WatchedCertificates> certificates_;  ///< null in plaintext
  std::unique_ptr<UnixSocket> socket_;                 ///< null on TCP
  std::unique_ptr<grpc::Server> server_;
  std::string address_;
  bool drained_ = false;
};

}  // namespace tactus::server
