// What a failed call throws.
#pragma once

#include "tactus/v1/simulation.pb.h"

#include <grpcpp/client_context.h>
#include <grpcpp/support/status.h>

#include <stdexcept>
#include <string>

namespace tactus::client {

/// A call that the server refused, or that did not reach it.
///
/// The reason, field, hint and findings come from the trailer "tactus-error-bin". Without one (the server is not
/// there, or is not a Tactus server) the reason is the name of the status code.
class ClientError : public std::runtime_error {
 public:
  ClientError(grpc::StatusCode code, const std::string& message, v1::ErrorDetail detail);

  grpc::StatusCode code() const noexcept { return code_; }

  /// "SESSION_UNKNOWN", "SIGNAL_UNKNOWN", "LAYOUT_MISMATCH", ...
  const std::string& reason() const noexcept { return detail_.reason(); }

  /// The offending field of the request; may be empty.
  const std::string& field() const noexcept { return detail_.field(); }

  /// What to do about it; may be empty.
  const std::string& hint() const noexcept { return detail_.hint(); }

  /// The whole detail, with the findings on a model that was refused.
  const v1::ErrorDetail& detail() const noexcept { return detail_; }

  /// True where no server answered at the address, as opposed to one that refused.
  bool unreachable() const noexcept { return code_ == grpc::StatusCode::UNAVAILABLE && reason() == "UNAVAILABLE"; }

  /// True where the server ended the call because it is shutting down.
  bool draining() const noexcept { return reason() == "DRAINING"; }

 private:
  grpc::StatusCode code_;
  v1::ErrorDetail detail_;
};

/// The error of a finished call, with the detail from its trailer. `status` is not OK.
ClientError errorOf(const grpc::Status& status, const grpc::ClientContext& context);

/// A finished stream has ended in order: OK, cancelled by this side, or because the server shuts down.
/// @throws ClientError if it did not
void checkEndOfStream(const grpc::Status& status, const grpc::ClientContext& context, bool cancelled);

}  // namespace tactus::client
