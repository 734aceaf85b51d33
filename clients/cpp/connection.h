// The connection to a server: addresses, channels and unary calls.
#pragma once

#include "clients/cpp/credentials.h"
#include "clients/cpp/error.h"
#include "tactus/v1/simulation.grpc.pb.h"

#include <chrono>
#include <memory>
#include <string>

namespace tactus::client {

struct ConnectOptions {
  std::chrono::milliseconds deadline{5000};  ///< deadline of every unary call
  std::chrono::milliseconds wait{0};         ///< maximum wait for the server to appear; at least 300 ms
  Credentials credentials = Credentials::fromEnvironment();
};

/// An address at which a client reaches a socket of the server: that of the socket, or, if the socket is bound to all
/// addresses of its host, the host by which the client reaches the server.
/// @param[in] socket  "0.0.0.0:50052", "[::]:50052" or another one
/// @param[in] server  as Connection() has it; behind a Unix socket the host is this one
std::string reachableAddress(const std::string& socket, const std::string& server);

/// Unary calls share a channel. Each stream has its own channel, so that no stream waits in the flow-control window of
/// another. Safe to use from several threads.
class Connection {
 public:
  using Stub = v1::Simulation::Stub;

  /// @param[in] address  "127.0.0.1:50051", "localhost:50051", "[::1]:50051" or "unix:/path"; with TLS "host:50051"
  /// @throws ClientError  INVALID_ARGUMENT for the address of another host without TLS and for credentials that cannot
  ///                      be used; UNAVAILABLE if no server appears within `options.wait`
  Connection(std::string address, ConnectOptions options);

  const std::string& address() const noexcept { return address_; }
  const ConnectOptions& options() const noexcept { return options_; }

  /// A stub on its own channel, with a small receive window, for one stream.
  std::unique_ptr<Stub> streamStub() const;

  /// Puts the token of this client into a call on streamStub().
  void identify(grpc::ClientContext& context) const;

  /// A unary call under the deadline of the options.
  /// @throws ClientError
  template <class Request, class Response>
  Response call(grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                const Request& request) const {
    return call(method, request, options_.deadline);
  }

  /// A unary call with another deadline.
  template <class Request, class Response>
  Response call(grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*), const Request& request,
                std::chrono::milliseconds deadline) const {
    grpc::ClientContext context;
    identify(context);
    context.set_deadline(std::chrono::system_clock::now() + deadline);
    Response response;
    const grpc::Status status = (stub_.get()->*method)(&context, request, &response);
    if (!status.ok()) throw errorOf(status, context);
    return response;
  }

 private:
  std::string address_;
  ConnectOptions options_;
  OpenedCredentials credentials_;
  std::unique_ptr<Stub> stub_;
};

/// A new id for CreateSession, StartSession, StepSession, ...: 32 hex digits. A call that is repeated with the same id
/// takes effect once.
std::string newRequestId();

}  // namespace tactus::client
