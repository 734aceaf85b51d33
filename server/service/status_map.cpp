#include "server/service/status_map.h"

#include "server/service/model_store.h"
#include "server/wire/finding.h"

#include <spdlog/spdlog.h>

#include <new>
#include <string>

namespace tactus::server {

namespace {

struct ReasonEntry {
  const char* word;
  grpc::StatusCode code;
};

ReasonEntry entryOf(Reason reason) noexcept {
  switch (reason) {
    case Reason::kModelInvalid: return {"MODEL_INVALID", grpc::StatusCode::INVALID_ARGUMENT};
    case Reason::kModelUnknown: return {"MODEL_UNKNOWN", grpc::StatusCode::NOT_FOUND};
    case Reason::kSignalUnknown: return {"SIGNAL_UNKNOWN", grpc::StatusCode::NOT_FOUND};
    case Reason::kLayoutMismatch: return {"LAYOUT_MISMATCH", grpc::StatusCode::FAILED_PRECONDITION};
    case Reason::kValueOutOfRange: return {"VALUE_OUT_OF_RANGE", grpc::StatusCode::INVALID_ARGUMENT};
    case Reason::kNotFinite: return {"NOT_FINITE", grpc::StatusCode::INVALID_ARGUMENT};
    case Reason::kLeaseHeld: return {"LEASE_HELD", grpc::StatusCode::FAILED_PRECONDITION};
    case Reason::kSessionState: return {"SESSION_STATE", grpc::StatusCode::FAILED_PRECONDITION};
    case Reason::kSessionUnknown: return {"SESSION_UNKNOWN", grpc::StatusCode::NOT_FOUND};
    case Reason::kSessionExists: return {"SESSION_EXISTS", grpc::StatusCode::ALREADY_EXISTS};
    case Reason::kSessionDeleted: return {"SESSION_DELETED", grpc::StatusCode::ABORTED};
    case Reason::kRequestInvalid: return {"REQUEST_INVALID", grpc::StatusCode::INVALID_ARGUMENT};
    case Reason::kLimitExceeded: return {"LIMIT_EXCEEDED", grpc::StatusCode::RESOURCE_EXHAUSTED};
    case Reason::kDraining: return {"DRAINING", grpc::StatusCode::UNAVAILABLE};
    case Reason::kCancelled: return {"CANCELLED", grpc::StatusCode::CANCELLED};
    case Reason::kSnapshotIncompatible: return {"SNAPSHOT_INCOMPATIBLE", grpc::StatusCode::FAILED_PRECONDITION};
    case Reason::kRecordingUnknown: return {"RECORDING_UNKNOWN", grpc::StatusCode::NOT_FOUND};
    case Reason::kRecordingExists: return {"RECORDING_EXISTS", grpc::StatusCode::ALREADY_EXISTS};
    case Reason::kUdpDisabled: return {"UDP_DISABLED", grpc::StatusCode::FAILED_PRECONDITION};
    case Reason::kDatagramTooLarge: return {"DATAGRAM_TOO_LARGE", grpc::StatusCode::INVALID_ARGUMENT};
    case Reason::kLeaseLost: return {"LEASE_LOST", grpc::StatusCode::ABORTED};
    case Reason::kTickInPast: return {"TICK_IN_PAST", grpc::StatusCode::OUT_OF_RANGE};
    case Reason::kTickTooFar: return {"TICK_TOO_FAR", grpc::StatusCode::RESOURCE_EXHAUSTED};
    case Reason::kParameterUnknown: return {"PARAMETER_UNKNOWN", grpc::StatusCode::NOT_FOUND};
    case Reason::kLinkUnknown: return {"LINK_UNKNOWN", grpc::StatusCode::NOT_FOUND};
    case Reason::kInternal: return {"INTERNAL", grpc::StatusCode::INTERNAL};
  }
  return {"INTERNAL", grpc::StatusCode::INTERNAL};
}

// A trailer has to fit into the 8 KiB that gRPC reads of metadata, beside the message.
constexpr std::size_t kMaxDetail = 4096, kMaxMessage = 1024;

ErrorAnswer answer(Reason reason, const std::string& message, v1::ErrorDetail detail = {}) {
  detail.set_reason(toString(reason));
  const bool cut = message.size() > kMaxMessage;
  return {grpc::Status(entryOf(reason).code, cut ? message.substr(0, kMaxMessage) + " ..." : message),
          std::move(detail)};
}

}  // namespace

const char* toString(Reason reason) noexcept {
  return entryOf(reason).word;
}

v1::ErrorDetail toDetail(const RequestError& error) {
  v1::ErrorDetail detail;
  detail.set_reason(toString(error.reason()));
  detail.set_field(error.field());
  detail.set_hint(error.hint());
  return detail;
}

namespace {

template <class Findings>
void addFindings(const Findings& findings, v1::ErrorDetail& detail) {
  int left_out = 0;
  for (const auto& finding : findings) {
    if (left_out == 0) writeFinding(finding, *detail.add_findings());
    if (left_out > 0 || detail.ByteSizeLong() > kMaxDetail) ++left_out;
  }
  if (left_out == 0) return;
  detail.mutable_findings()->RemoveLast();
  detail.set_hint(std::to_string(left_out) + " more; ValidateModel lists every finding");
}

}  // namespace

ErrorAnswer toAnswer(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const ModelRefused& error) {
    v1::ErrorDetail detail = toDetail(error);
    addFindings(error.findings(), detail);
    return answer(error.reason(), error.what(), std::move(detail));
  } catch (const RequestError& error) {
    return answer(error.reason(), error.what(), toDetail(error));
  } catch (const rt::ModelError& error) {
    v1::ErrorDetail detail;
    detail.set_field("model");
    addFindings(error.findings(), detail);
    return answer(Reason::kModelInvalid, error.what(), std::move(detail));
  } catch (const Error& error) { return answer(Reason::kRequestInvalid, error.what()); } catch (const std::bad_alloc&) {
    return answer(Reason::kLimitExceeded, "out of memory");
  } catch (const std::exception& error) { return answer(Reason::kInternal, error.what()); } catch (...) {
    return answer(Reason::kInternal, "unknown exception");
  }
}

grpc::Status failCall(grpc::ServerContextBase& context, const std::exception_ptr& exception) {
  const ErrorAnswer failure = toAnswer(exception);
  if (failure.status.error_code() == grpc::StatusCode::INTERNAL)
    spdlog::error("a call failed for no fault of its own: {}", failure.status.error_message());
  context.AddTrailingMetadata(kErrorTrailer, failure.detail.SerializeAsString());
  return failure.status;
}

}  // namespace tactus::server
