// FramePump: sends the frames and the notices of one stream in one thread, until the stream ends.
#pragma once

#include "server/service/bell.h"
#include "server/service/state_streamer.h"
#include "server/session/session.h"
#include "server/wire/notice.h"

#include <chrono>
#include <optional>
#include <utility>
#include <vector>

namespace tactus::server {

/// Why a server ends a stream by itself: in words, with the status and the detail.
inline RequestError reasonOf(const SessionEvent& event) {
  const bool draining = event.kind == SessionEvent::Kind::kDraining;
  return {draining ? Reason::kDraining : Reason::kSessionDeleted, "", event.message};
}

/// `Response` has a frame and a notice: TickResponse, ObserveResponse.
template <class Response>
class FramePump {
 public:
  /// @param streamer  of the frames; null if another thread sends them, as in lockstep
  FramePump(Session& session, StateStreamer* streamer, Bell& bell)
      : session_(session), streamer_(streamer), bell_(bell), seen_(session.events().newest()) {}

  /// Sends until the session's events end the stream, `write` fails, or `gone` says that the reader has left.
  /// @param gone  asked after each frame and each wait; its argument is true if nothing has come for a while
  /// @returns the event that ended the stream, if one did; its notice is sent
  template <class Write, class Gone>
  std::optional<SessionEvent> run(Write&& write, Gone&& gone) {
    std::vector<SessionEvent> pending;
    if (std::optional<SessionEvent> end = session_.events().ending()) {
      notify(*end, write);
      return end;
    }
    bool idle = false;
    while (!gone(idle)) {
      // Starts and resets come before their frames; everything else after the frames it follows.
      bool ending = false;
      for (SessionEvent& event : session_.events().after(seen_)) {
        ending = ending || event.endsStreams();
        if (!precedesFrames(event)) {
          pending.push_back(std::move(event));
        } else if (!notify(event, write)) {
          return {};
        }
      }

      const bool due = streamer_ && streamer_->next(*frame_.mutable_frame());
      if (due && !write(frame_)) return {};
      idle = false;
      if (due && !ending) continue;
      for (const SessionEvent& event : pending) {
        if (!notify(event, write)) return {};
        if (event.endsStreams()) return event;
      }
      pending.clear();
      idle = !await();
    }
    return {};
  }

 private:
  // An idle session is looked at this often; so late at most are its events and the loss of its reader noticed.
  static constexpr std::chrono::milliseconds kIdle{20};
  // A queue that may not send must still be filled before the ring laps it.
  static constexpr std::chrono::milliseconds kQueueing{5};

  static bool precedesFrames(const SessionEvent& event) noexcept {
    return event.kind == SessionEvent::Kind::kStarted || event.kind == SessionEvent::Kind::kReset;
  }

  template <class Write>
  static bool notify(const SessionEvent& event, Write& write) {
    Response response;
    writeNotice(event, *response.mutable_notice());
    return write(response);
  }

  // Sleeps until there may be something to send; false if nothing came.
  bool await() {
    if (!streamer_) return session_.events().wait(seen_, kIdle);
    if (streamer_->hasCredit())
      return session_.announcer().waitNewer(streamer_->seen(), kIdle) == rt::WaitResult::kNewer;
    const bool queueing = streamer_->options().delivery == StreamOptions::Delivery::kQueue;
    return bell_.wait(queueing ? kQueueing : kIdle);
  }

  Session& session_;
  StateStreamer* streamer_;
  Bell& bell_;
  std::uint64_t seen_;  ///< events that were looked at
  Response frame_;      ///< used for every frame
};

}  // namespace tactus::server
