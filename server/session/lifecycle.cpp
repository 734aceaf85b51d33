#include "server/session/lifecycle.h"

#include <cstdio>

namespace tactus::server {

void Lifecycle::change(const Hold&, SessionState state, SessionEvent::Kind kind, const std::string& message) {
  state_ = state;
  if (state != SessionState::kFaulted && state != SessionState::kStopped) fault_.clear();
  feed_.post(kind, loop_.state().tick, message);
}

void Lifecycle::begin(const Hold&, SessionState state) {
  look();
  state_ = state;
  fault_.clear();
}

void Lifecycle::enterFirstTick(const Hold&) {
  if (state() == SessionState::kReady)
    state_ = spec_.clock.ticksInCaller() ? SessionState::kRunning : SessionState::kPaused;
  if (state() != SessionState::kStopped) return;
  state_ = SessionState::kPaused;
  fault_.clear();
}

void Lifecycle::settle(const Hold& hold) {
  look();
  if (loop_.faulted()) {
    const std::string tick = std::to_string(loop_.state().tick + 1);
    fault_ =
        loop_.fault() == rt::TickStatus::kInputLost
            ? "the inputs of the last " + std::to_string(loop_.missLimit()) + " ticks before tick " + tick +
                  " are missing, and an actuator demands a fault on loss; the last good state is kept"
            : "the step to tick " + tick + " failed: " + rt::toString(loop_.fault()) + "; the last good state is kept";
    change(hold, SessionState::kFaulted, SessionEvent::Kind::kFaulted, fault_);
  } else if (loop_.finished()) {
    change(hold, SessionState::kFinished, SessionEvent::Kind::kFinished, "the stop tick is reached");
  }
}

void Lifecycle::stopAfterOverrun(const Hold& hold, const rt::TickClock& clock) {
  const std::int64_t tick = loop_.state().tick;
  char when[64];
  std::snprintf(when, sizeof when, "tick %lld (%.6f s)", static_cast<long long>(tick),
                1e-9 * static_cast<double>(tick * loop_.settings().period_ns));
  fault_ = std::string("the overrun rule (") + formatOverrun(spec_.overrun) + ") ended the run after " + when + ": " +
           std::to_string(clock.consecutiveOverdue()) + " consecutive overdue deadlines, " +
           std::to_string(clock.totalOverdue()) + " since the start; the state is good";
  change(hold, SessionState::kStopped, SessionEvent::Kind::kStopped, fault_);
}

void Lifecycle::close(const Hold& hold) {
  closed_ = true;
  change(hold, state(), SessionEvent::Kind::kDeleted, "session \"" + spec_.name + "\" was deleted");
}

}  // namespace tactus::server
