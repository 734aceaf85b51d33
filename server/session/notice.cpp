#include "server/session/notice.h"

#include "rt/utf8.h"
#include "server/wire/error_detail.h"

#include <algorithm>

namespace tactus::server {

namespace {

const char* wordOf(SessionEvent::Kind kind) noexcept {
  switch (kind) {
    case SessionEvent::Kind::kStarted: return "SESSION_STARTED";
    case SessionEvent::Kind::kPaused: return "SESSION_PAUSED";
    case SessionEvent::Kind::kReset: return "SESSION_RESET";
    case SessionEvent::Kind::kStopped: return "SESSION_STOPPED";
    case SessionEvent::Kind::kFaulted: return "SESSION_FAULTED";
    case SessionEvent::Kind::kFinished: return "SESSION_FINISHED";
    case SessionEvent::Kind::kDeleted: return "SESSION_DELETED";
    case SessionEvent::Kind::kDraining: return "DRAINING";
    case SessionEvent::Kind::kRestored: return "SESSION_RESTORED";
    case SessionEvent::Kind::kTakeover: return "INPUTS_TAKEN_OVER";
    case SessionEvent::Kind::kParameters: return "PARAMETERS_SET";
    case SessionEvent::Kind::kSafeEntered: return "SAFE_STATE_ENTERED";
    case SessionEvent::Kind::kSafeLeft: return "SAFE_STATE_LEFT";
    case SessionEvent::Kind::kEnergyGrows: return "ENERGY_GROWS";
    case SessionEvent::Kind::kRecordingIncomplete: return "RECORDING_INCOMPLETE";
    case SessionEvent::Kind::kRecordingWarning: return "RECORDING_WARNING";
    case SessionEvent::Kind::kRecordingEnded: return "RECORDING_ENDED";
  }
  return "UNKNOWN";
}

}  // namespace

void writeNotice(const SessionEvent& event, v1::TickNotice& message, std::uint64_t lease) {
  message.set_reason(wordOf(event.kind));
  message.set_message(rt::validText(event.message));
  message.set_tick(event.tick);
  if (std::find(event.lost_leases.begin(), event.lost_leases.end(), lease) == event.lost_leases.end()) return;
  *message.mutable_detail() = toDetail({Reason::kLeaseLost, "inputs", event.message,
                                        "keep watching, or open another stream with takeover and a reason"});
}

}  // namespace tactus::server
