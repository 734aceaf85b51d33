// RequestError: why a request is refused. service/status_map.cpp turns it into a gRPC status.
#pragma once

#include "rt/error.h"

#include <cstdint>
#include <string>
#include <utility>

namespace tactus::server {

/// Machine-readable causes; the words of ErrorDetail.reason.
enum class Reason : std::uint8_t {
  kModelInvalid,
  kModelUnknown,
  kSignalUnknown,
  kLayoutMismatch,
  kValueOutOfRange,
  kNotFinite,
  kLeaseHeld,
  kSessionState,
  kSessionUnknown,
  kSessionExists,
  kSessionDeleted,
  kRequestInvalid,
  kLimitExceeded,
  kDraining,
  kCancelled,
  kSnapshotIncompatible,
  kRecordingUnknown,
  kRecordingExists,
  kRecordingFolder,
  kUdpDisabled,
  kDatagramTooLarge,
  kLinkUnknown,
  kParameterUnknown,
  kLeaseLost,
  kTickInPast,
  kTickTooFar,
  kNotAuthenticated,
  kRoleTooLow,
  kNotOwner,
  kAnalysisFailed,
  kInternal,
};

/// A request that cannot be granted: the cause, the offending field, and how to fix it.
class RequestError : public Error {
 public:
  RequestError(Reason reason, std::string field, const std::string& message, std::string hint = {})
      : Error(message), reason_(reason), field_(std::move(field)), hint_(std::move(hint)) {}

  Reason reason() const noexcept { return reason_; }
  const std::string& field() const noexcept { return field_; }
  const std::string& hint() const noexcept { return hint_; }

 private:
  Reason reason_;
  std::string field_;
  std::string hint_;
};

}  // namespace tactus::server
