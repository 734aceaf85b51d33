#include "clients/cpp/error.h"

#include <utility>

namespace tactus::client {
namespace {

constexpr const char* kDetailTrailer = "tactus-error-bin";

const char* nameOf(grpc::StatusCode code) {
  switch (code) {
    case grpc::StatusCode::CANCELLED: return "CANCELLED";
    case grpc::StatusCode::INVALID_ARGUMENT: return "INVALID_ARGUMENT";
    case grpc::StatusCode::DEADLINE_EXCEEDED: return "DEADLINE_EXCEEDED";
    case grpc::StatusCode::NOT_FOUND: return "NOT_FOUND";
    case grpc::StatusCode::ALREADY_EXISTS: return "ALREADY_EXISTS";
    case grpc::StatusCode::PERMISSION_DENIED: return "PERMISSION_DENIED";
    case grpc::StatusCode::UNAUTHENTICATED: return "UNAUTHENTICATED";
    case grpc::StatusCode::RESOURCE_EXHAUSTED: return "RESOURCE_EXHAUSTED";
    case grpc::StatusCode::FAILED_PRECONDITION: return "FAILED_PRECONDITION";
    case grpc::StatusCode::ABORTED: return "ABORTED";
    case grpc::StatusCode::OUT_OF_RANGE: return "OUT_OF_RANGE";
    case grpc::StatusCode::UNIMPLEMENTED: return "UNIMPLEMENTED";
    case grpc::StatusCode::INTERNAL: return "INTERNAL";
    case grpc::StatusCode::UNAVAILABLE: return "UNAVAILABLE";
    case grpc::StatusCode::DATA_LOSS: return "DATA_LOSS";
    default: return "UNKNOWN";
  }
}

// One line: what is wrong, where, and what to do.
std::string describe(grpc::StatusCode code, const std::string& message, const v1::ErrorDetail& detail) {
  std::string text = detail.reason().empty() ? nameOf(code) : detail.reason();
  text += ": " + message;
  if (!detail.field().empty()) text += " (field " + detail.field() + ")";
  if (!detail.hint().empty()) text += "; " + detail.hint();
  return text;
}

/// What to do where no server answers. gRPC says why in its message alone: a peer that closes each new connection at
/// once, or answers it with an alert of TLS ("Endpoint read failed"), does not accept how this client introduces
/// itself.
std::string hintOnUnreachable(const std::string& message) {
  const auto says = [&message](const char* words) { return message.find(words) != std::string::npos; };
  if (says("failed to connect") && (says("Socket closed") || says("Endpoint read failed")))
    return "the server may want TLS (--tls-ca), a client certificate (--tls-cert, --tls-key), or may refuse the "
           "certificate: revoked, expired or of another authority";
  return "check the address and that the server runs (tactus serve)";
}

}  // namespace

ClientError::ClientError(grpc::StatusCode code, const std::string& message, v1::ErrorDetail detail)
    : std::runtime_error(describe(code, message, detail)), code_(code), detail_(std::move(detail)) {
  if (detail_.reason().empty()) detail_.set_reason(nameOf(code));
}

ClientError errorOf(const grpc::Status& status, const grpc::ClientContext& context) {
  v1::ErrorDetail detail;
  const auto& trailers = context.GetServerTrailingMetadata();
  if (const auto entry = trailers.find(kDetailTrailer); entry != trailers.end()) {
    // Without a readable trailer the status code is still valid.
    if (!detail.ParseFromArray(entry->second.data(), static_cast<int>(entry->second.size()))) detail.Clear();
  }
  if (status.error_code() == grpc::StatusCode::UNAVAILABLE && detail.reason().empty() && detail.hint().empty())
    detail.set_hint(hintOnUnreachable(status.error_message()));
  if (status.error_code() == grpc::StatusCode::CANCELLED && detail.hint().empty())
    detail.set_hint("the server ends, or token, certificate or role of this client have changed: connect again");
  return ClientError(status.error_code(), status.error_message(), std::move(detail));
}

void checkEndOfStream(const grpc::Status& status, const grpc::ClientContext& context, bool cancelled) {
  if (status.ok() || cancelled) return;
  const ClientError error = errorOf(status, context);
  if (!error.draining()) throw error;
}

}  // namespace tactus::client
