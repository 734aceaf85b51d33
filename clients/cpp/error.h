// The error of a failed call.
#pragma once

#include "tactus/v1/simulation.pb.h"

#include <grpcpp/client_context.h>
#include <grpcpp/support/status.h>

#include <stdexcept>
#include <string>

namespace tactus::client {

/// The server refused a call, or the call did not reach it.
///
/// The reason, field, hint and findings come from the trailer "tactus-error-bin". Without the trailer (no
/// server, or not a Tactus server) the reason is the name of the status code.
class ClientError : public std::runtime_error {
 public:
  ClientError(grpc::StatusCode code, const std::string& message, v1::ErrorDetail detail);

  grpc::StatusCode code() const noexcept { return code_; }

  /// "SESSION_UNKNOWN", "SIGNAL_UNKNOWN", "LAYOUT_MISMATCH", ...
  const std::string& reason() const noexcept { return detail_.reason(); }

  /// The offending field of the request; may be empty.
  const std::string& field() const noexcept { return detail_.field(); }

  /// How to fix it; may be empty.
  const std::string& hint() const noexcept { return detail_.hint(); }

  /// The whole detail, including the findings on a refused model.
  const v1::ErrorDetail& detail() const noexcept { return detail_; }

  /// True if no server answered at the address.
  bool unreachable() const noexcept { return code_ == grpc::StatusCode::UNAVAILABLE && reason() == "UNAVAILABLE"; }

  /// True if the server ended the call because it is shutting down.
  bool draining() const noexcept { return reason() == "DRAINING"; }

 private:
  grpc::StatusCode code_;
  v1::ErrorDetail detail_;
};

/// The error of a finished call, with the detail from its trailer. `status` is not OK.
ClientError errorOf(const grpc::Status& status, const grpc::ClientContext& context);

/// Checks that a stream has ended in order: with OK, cancelled by this client, or because the server shuts down.
/// @throws ClientError for any other end
void checkEndOfStream(const grpc::Status& status, const grpc::ClientContext& context, bool cancelled);

}  // namespace tactus::client
