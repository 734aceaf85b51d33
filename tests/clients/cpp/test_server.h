// A server in this process, on a free loopback port, for the real client.
#pragma once

#include "server/service/server.h"

#include <memory>
#include <string>

namespace tactus::test {

class TestServer {
 public:
  TestServer() : server_(std::make_unique<server::Server>(configOf())) {}

  std::string address() const { return server_->address(); }

  /// Drains, as a signal would make it.
  void stop() { server_->drain("the test ends"); }

 private:
  static server::Config configOf() {
    server::Config config;
    config.endpoint = server::parseEndpoint("127.0.0.1:0");
    return config;
  }

  std::unique_ptr<server::Server> server_;
};

}  // namespace tactus::test
