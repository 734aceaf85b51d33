#include "server/service/status_map.h"

#include "rt/utf8.h"
#include "server/service/finding.h"
#include "server/service/model_store.h"
#include "server/wire/error_detail.h"

#include <spdlog/spdlog.h>

#include <new>
#include <string>

namespace tactus::server {

namespace {

grpc::StatusCode codeOf(Reason reason) noexcept {
  using grpc::StatusCode;
  switch (reason) {
    case Reason::kModelInvalid: return StatusCode::INVALID_ARGUMENT;
    case Reason::kModelUnknown: return StatusCode::NOT_FOUND;
    case Reason::kSignalUnknown: return StatusCode::NOT_FOUND;
    case Reason::kLayoutMismatch: return StatusCode::FAILED_PRECONDITION;
    case Reason::kValueOutOfRange: return StatusCode::INVALID_ARGUMENT;
    case Reason::kNotFinite: return StatusCode::INVALID_ARGUMENT;
    case Reason::kLeaseHeld: return StatusCode::FAILED_PRECONDITION;
    case Reason::kSessionState: return StatusCode::FAILED_PRECONDITION;
    case Reason::kSessionUnknown: return StatusCode::NOT_FOUND;
    case Reason::kSessionExists: return StatusCode::ALREADY_EXISTS;
    case Reason::kSessionDeleted: return StatusCode::ABORTED;
    case Reason::kRequestInvalid: return StatusCode::INVALID_ARGUMENT;
    case Reason::kLimitExceeded: return StatusCode::RESOURCE_EXHAUSTED;
    case Reason::kDraining: return StatusCode::UNAVAILABLE;
    case Reason::kCancelled: return StatusCode::CANCELLED;
    case Reason::kSnapshotIncompatible: return StatusCode::FAILED_PRECONDITION;
    case Reason::kRecordingUnknown: return StatusCode::NOT_FOUND;
    case Reason::kRecordingExists: return StatusCode::ALREADY_EXISTS;
    case Reason::kRecordingFolder: return StatusCode::FAILED_PRECONDITION;
    case Reason::kUdpDisabled: return StatusCode::FAILED_PRECONDITION;
    case Reason::kDatagramTooLarge: return StatusCode::INVALID_ARGUMENT;
    case Reason::kLeaseLost: return StatusCode::ABORTED;
    case Reason::kTickInPast: return StatusCode::OUT_OF_RANGE;
    case Reason::kTickTooFar: return StatusCode::RESOURCE_EXHAUSTED;
    case Reason::kParameterUnknown: return StatusCode::NOT_FOUND;
    case Reason::kLinkUnknown: return StatusCode::NOT_FOUND;
    case Reason::kNotAuthenticated: return StatusCode::UNAUTHENTICATED;
    case Reason::kRoleTooLow: return StatusCode::PERMISSION_DENIED;
    case Reason::kNotOwner: return StatusCode::PERMISSION_DENIED;
    case Reason::kAnalysisFailed: return StatusCode::FAILED_PRECONDITION;
    case Reason::kInternal: return StatusCode::INTERNAL;
  }
  return StatusCode::INTERNAL;
}

// A trailer and the message must fit into the 8 KiB of metadata that gRPC accepts.
constexpr std::size_t kMaxDetail = 4096, kMaxMessage = 1024;

ErrorAnswer answer(Reason reason, const std::string& message, v1::ErrorDetail detail = {}) {
  detail.set_reason(toString(reason));
  for (std::string* text : {detail.mutable_field(), detail.mutable_hint()})
    if (text->size() > kMaxMessage) *text = rt::cutText(*text, kMaxMessage) + " ...";
  const bool cut = message.size() > kMaxMessage;
  return {grpc::Status(codeOf(reason), cut ? rt::cutText(message, kMaxMessage) + " ..." : message), std::move(detail)};
}

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
  } catch (const AnsweredFailure& failure) { return failure.answer(); } catch (const ModelRefused& error) {
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
    spdlog::error("internal error: {}", failure.status.error_message());
  context.AddTrailingMetadata(kErrorTrailer, failure.detail.SerializeAsString());
  return failure.status;
}

}  // namespace tactus::server
