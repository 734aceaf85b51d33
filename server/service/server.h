// Server: the service on an endpoint, with health, reflection, keepalive and an orderly end.
#pragma once

#include "server/config.h"
#include "server/service/simulation_service.h"

#include <grpcpp/server.h>

#include <functional>
#include <memory>
#include <string>

namespace tactus::server {

class Server {
 public:
  /// Listens at once; port 0 takes a free one. What `prepare` does is done before the first client can call.
  /// @throws Error if the endpoint is taken or cannot be had; whatever `prepare` throws
  explicit Server(const Config& config, const std::function<void(SimulationService&)>& prepare = {});

  /// Drains, if that has not been done.
  ~Server();

  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  SimulationService& service() noexcept { return service_; }

  /// With the port that was taken: what a client connects to.
  const std::string& address() const noexcept { return address_; }

  /// Refuses new calls, ends every stream with a notice that gives the reason, and returns when all calls have ended;
  /// those that have not within 0.6 s are cut off.
  void drain(const std::string& reason);

 private:
  void listen(const Config& config);

  const Endpoint endpoint_;
  SimulationService service_;
  std::unique_ptr<grpc::Server> server_;
  std::string address_;
  bool drained_ = false;
};

}  // namespace tactus::server
