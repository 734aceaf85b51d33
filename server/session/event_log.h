// EventLog: what happened to a session, for its streams. Never touched by a tick.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace tactus::server {

struct SessionEvent {
  enum class Kind : std::uint8_t {
    kStarted,
    kPaused,
    kReset,
    kStopped,
    kFaulted,
    kFinished,
    kDeleted,
    kDraining,
    kRestored,
    kTakeover,     ///< of inputs
    kParameters,   ///< changed; `tick` is the first one that used them
    kSafeEntered,  ///< inputs of some groups are ignored from `tick` on
    kSafeLeft,
    kEnergyGrows,          ///< without an input, since `tick`
    kRecordingIncomplete,  ///< a recording lacks ticks or signals; `tick` is where the newest gap begins
    kRecordingWarning,     ///< a recording will lack some: its disk takes nothing, or will be full
    kRecordingEnded,       ///< a recording has ended early; `tick` is the first one that is not in its file
  };
  Kind kind;
  std::int64_t tick = 0;  ///< of the session at that time
  std::string message;
  std::uint64_t publication = 0;  ///< newest of the ring when it happened; the event lies between it and the next one
  std::vector<std::uint64_t> lost_leases = {};  ///< of kTakeover: InputLease::id() of the former holders

  /// Whether the streams of the session end after this event.
  bool endsStreams() const noexcept { return kind == Kind::kDeleted || kind == Kind::kDraining; }
};

/// The newest events, numbered from 1. Thread-safe.
class EventLog {
 public:
  explicit EventLog(std::size_t capacity = 256) : capacity_(capacity) {}

  void post(SessionEvent event);

  /// Number of the newest event; 0 before the first.
  std::uint64_t newest() const;

  /// What a stream begins with.
  struct Opening {
    std::uint64_t newest = 0;              ///< number of the newest event
    std::optional<SessionEvent> finished;  ///< the end of a session that has finished, and not begun again since
  };
  Opening opening() const;

  /// The events after number `seen`, oldest first; sets `seen` to the newest.
  std::vector<SessionEvent> after(std::uint64_t& seen) const;

  /// The event that ended the streams of the session, if there was one.
  std::optional<SessionEvent> ending() const;

  /// Sleeps until there is an event after `seen`, or until `stop` holds after a wake(), or until the timeout.
  /// @returns false if the timeout came first
  bool wait(std::uint64_t seen, std::chrono::nanoseconds timeout, const std::function<bool()>& stop = {}) const;

  /// Makes each waiting thread check its `stop`.
  void wake();

 private:
  const std::size_t capacity_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::deque<SessionEvent> events_;
  std::optional<SessionEvent> ending_;
  std::uint64_t newest_ = 0;
};

}  // namespace tactus::server
