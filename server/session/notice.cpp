#include "server/session/notice.h"

#include "rt/utf8.h"

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
  }
  return "UNKNOWN";
}

}  // namespace

void writeNotice(const SessionEvent& event, v1::TickNotice& message) {
  message.set_reason(wordOf(event.kind));
  message.set_message(rt::validText(event.message));
  message.set_tick(event.tick);
}

}  // namespace tactus::server
