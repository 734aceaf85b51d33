#include "server/wire/error_detail.h"

#include "rt/utf8.h"

namespace tactus::server {

const char* toString(Reason reason) noexcept {
  switch (reason) {
    case Reason::kModelInvalid: return "MODEL_INVALID";
    case Reason::kModelUnknown: return "MODEL_UNKNOWN";
    case Reason::kSignalUnknown: return "SIGNAL_UNKNOWN";
    case Reason::kLayoutMismatch: return "LAYOUT_MISMATCH";
    case Reason::kValueOutOfRange: return "VALUE_OUT_OF_RANGE";
    case Reason::kNotFinite: return "NOT_FINITE";
    case Reason::kLeaseHeld: return "LEASE_HELD";
    case Reason::kSessionState: return "SESSION_STATE";
    case Reason::kSessionUnknown: return "SESSION_UNKNOWN";
    case Reason::kSessionExists: return "SESSION_EXISTS";
    case Reason::kSessionDeleted: return "SESSION_DELETED";
    case Reason::kRequestInvalid: return "REQUEST_INVALID";
    case Reason::kLimitExceeded: return "LIMIT_EXCEEDED";
    case Reason::kDraining: return "DRAINING";
    case Reason::kCancelled: return "CANCELLED";
    case Reason::kSnapshotIncompatible: return "SNAPSHOT_INCOMPATIBLE";
    case Reason::kRecordingUnknown: return "RECORDING_UNKNOWN";
    case Reason::kRecordingExists: return "RECORDING_EXISTS";
    case Reason::kRecordingFolder: return "RECORDING_FOLDER";
    case Reason::kUdpDisabled: return "UDP_DISABLED";
    case Reason::kDatagramTooLarge: return "DATAGRAM_TOO_LARGE";
    case Reason::kLeaseLost: return "LEASE_LOST";
    case Reason::kTickInPast: return "TICK_IN_PAST";
    case Reason::kTickTooFar: return "TICK_TOO_FAR";
    case Reason::kParameterUnknown: return "PARAMETER_UNKNOWN";
    case Reason::kLinkUnknown: return "LINK_UNKNOWN";
    case Reason::kNotAuthenticated: return "NOT_AUTHENTICATED";
    case Reason::kRoleTooLow: return "ROLE_TOO_LOW";
    case Reason::kNotOwner: return "NOT_OWNER";
    case Reason::kAnalysisFailed: return "ANALYSIS_FAILED";
    case Reason::kInternal: return "INTERNAL";
  }
  return "INTERNAL";
}

v1::ErrorDetail toDetail(const RequestError& error) {
  v1::ErrorDetail detail;
  detail.set_reason(toString(error.reason()));
  detail.set_field(rt::validText(error.field()));
  detail.set_hint(rt::validText(error.hint()));
  return detail;
}

}  // namespace tactus::server
