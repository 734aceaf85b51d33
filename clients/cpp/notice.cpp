#include "clients/cpp/notice.h"

#include <iostream>

namespace tactus::client {

namespace {

grpc::StatusCode codeOf(const std::string& reason) {
  if (reason == "SESSION_DELETED") return grpc::StatusCode::ABORTED;
  if (reason == "LEASE_LOST") return grpc::StatusCode::ABORTED;
  if (reason == "DRAINING") return grpc::StatusCode::UNAVAILABLE;
  if (reason.rfind("SESSION_", 0) == 0) return grpc::StatusCode::FAILED_PRECONDITION;
  return grpc::StatusCode::INVALID_ARGUMENT;
}

}  // namespace

ClientError errorOf(const v1::TickNotice& notice) {
  v1::ErrorDetail detail = notice.detail();
  if (detail.reason().empty()) detail.set_reason(notice.reason());
  return ClientError(codeOf(detail.reason()), notice.message(), detail);
}

bool endsStream(const v1::TickNotice& notice) {
  return notice.reason() == "SESSION_DELETED" || notice.reason() == "DRAINING";
}

void warn(const std::string& text) {
  std::cerr << "tactus: warning: " << text << std::endl;
}

void tell(const NoticeHandler& handler, const v1::TickNotice& notice) {
  if (handler) {
    handler(notice);
  } else if (notice.reason() == "SAFE_STATE_ENTERED" || notice.reason() == "ENERGY_GROWS" ||
             notice.reason().rfind("RECORDING_", 0) == 0) {
    warn(notice.message());
  } else if (notice.detail().reason() == "LEASE_LOST" || notice.reason() == "INPUT_REFUSED" ||
             notice.reason() == "SESSION_FAULTED" || notice.reason() == "SESSION_STOPPED") {
    throw errorOf(notice);
  }
}

}  // namespace tactus::client
