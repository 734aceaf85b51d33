// The one place where exceptions become gRPC statuses.
#pragma once

#include "server/wire/request_error.h"

#include "tactus/v1/simulation.pb.h"

#include <grpcpp/server_context.h>
#include <grpcpp/support/status.h>

#include <exception>
#include <utility>

namespace tactus::server {

/// Trailer that carries a serialized ErrorDetail.
inline constexpr const char* kErrorTrailer = "tactus-error-bin";

/// Status code, message and ErrorDetail of an exception. Exceptions that no request should cause are INTERNAL.
struct ErrorAnswer {
  grpc::Status status;
  v1::ErrorDetail detail;
};
ErrorAnswer toAnswer(const std::exception_ptr& exception);

/// A failure as its answer, a few KiB whatever the request was: this can be remembered.
class AnsweredFailure : public std::exception {
 public:
  explicit AnsweredFailure(ErrorAnswer answer) : answer_(std::move(answer)) {}
  const ErrorAnswer& answer() const noexcept { return answer_; }
  const char* what() const noexcept override { return "a request failed"; }

 private:
  ErrorAnswer answer_;
};

/// Puts the detail into the trailer and returns the status.
grpc::Status failCall(grpc::ServerContextBase& context, const std::exception_ptr& exception);

/// Runs the body of a call; an exception becomes the status of the call.
template <class Body>
grpc::Status answerCall(grpc::ServerContextBase& context, Body&& body) {
  try {
    std::forward<Body>(body)();
    return grpc::Status::OK;
  } catch (...) { return failCall(context, std::current_exception()); }
}

}  // namespace tactus::server
