// FramePump: sends the frames and the notices of one stream in one thread, until the stream ends.
#pragma once

#include "server/session/notice.h"
#include "server/session/session.h"
#include "server/stream/send_notifier.h"
#include "server/stream/state_streamer.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>

namespace tactus::server {

/// The error with which the server ends a stream after an event.
inline RequestError reasonOf(const SessionEvent& event) {
  const bool draining = event.kind == SessionEvent::Kind::kDraining;
  return {draining ? Reason::kDraining : Reason::kSessionDeleted, "", event.message};
}

/// Polling interval while idle; bounds the delay before events or a lost reader are noticed.
inline constexpr std::chrono::milliseconds kIdleWait{20};

/// `Response` has a frame and a notice: TickResponse, ObserveResponse.
template <class Response>
class FramePump {
 public:
  /// @param known  events up to `known.newest` are not sent again, except the end of a session that has finished
  /// @param lease  InputLease::id() of the stream; 0 for none
  FramePump(Session& session, StateStreamer& streamer, SendNotifier& credit, EventLog::Opening known,
            std::uint64_t lease = 0)
      : session_(session), streamer_(streamer), credit_(credit), lease_(lease), seen_(known.newest) {
    if (known.finished) pending_.push_back(*std::move(known.finished));
  }

  /// Sends until the session's events end the stream, `write` fails, or `gone` says that the reader has left.
  /// @param gone  called after each frame and each wait; its argument is true after a wait without a result
  /// @returns the event that ended the stream, if there is one; its notice is sent
  template <class Write, class Gone>
  std::optional<SessionEvent> run(Write&& write, Gone&& gone) {
    // An event before this stream was opened has ended all streams.
    if (std::optional<SessionEvent> end = session_.feed().events().ending()) {
      notify(*end, write);
      return end;
    }
    for (bool idle = false; !gone(idle);) {
      // The frame is read first: then the events before it are there, too.
      const bool due = streamer_.next(*frame_.mutable_frame());
      for (SessionEvent& event : session_.feed().events().after(seen_)) pending_.push_back(std::move(event));

      // Events are sent between the frames where they happened; the end of a stream waits for no frame.
      const bool ending = std::any_of(pending_.begin(), pending_.end(), [](const auto& e) { return e.endsStreams(); });
      while (!pending_.empty() && (ending || !due || pending_.front().publication < streamer_.index())) {
        const SessionEvent event = std::move(pending_.front());
        pending_.pop_front();
        if (!notify(event, write)) return {};
        if (event.endsStreams()) return event;
      }
      if (due && !write(frame_)) return {};
      idle = !due && !await();
    }
    return {};
  }

 private:
  // A queue without credit must still be filled before the ring overwrites its frames.
  static constexpr std::chrono::milliseconds kQueueWait{5};

  template <class Write>
  bool notify(const SessionEvent& event, Write& write) const {
    Response response;
    writeNotice(event, *response.mutable_notice(), lease_);
    return write(response);
  }

  // Sleeps until there may be something to send; false after a timeout.
  bool await() {
    if (streamer_.hasCredit())
      return session_.feed().waker().waitNewer(streamer_.seen(), kIdleWait) == rt::WaitResult::kNewer;
    const bool queueing = streamer_.options().delivery == StreamOptions::Delivery::kQueue;
    return credit_.wait(queueing ? kQueueWait : kIdleWait);
  }

  Session& session_;
  StateStreamer& streamer_;
  SendNotifier& credit_;
  const std::uint64_t lease_;
  std::uint64_t seen_;  ///< newest event that was examined
  std::deque<SessionEvent> pending_;
  Response frame_;  ///< used for every frame
};

}  // namespace tactus::server
