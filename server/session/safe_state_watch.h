// SafeStateWatch: tells the streams and the log when groups of actuators enter or leave the safe state.
#pragma once

#include "rt/loop/tick_loop.h"
#include "server/session/session_feed.h"
#include "server/session/session_setup.h"

#include <atomic>
#include <mutex>
#include <string>
#include <utility>

namespace tactus::server {

/// Why inputs of some groups are ignored since which tick, and how to leave the safe state, in words.
/// @param newest  publication whose safe state is described
/// @returns empty if no group in `groups` is in the safe state
/// @param resumed  groups whose new controller ends with the next tick what the silence of the former one led to
/// @param reason   of a safe state that was asked for; empty: a request or an overrun rule
std::string describeSafeState(const SessionSpec& spec, const rt::Snapshot& newest, rt::GroupMask groups,
                              rt::GroupMask resumed = 0, const std::string& reason = {});

/// Thread-safe. A tick posts nothing; who lets ticks run looks between them.
class SafeStateWatch {
 public:
  /// All three must outlive this object.
  SafeStateWatch(const SessionSpec& spec, const rt::TickLoop& loop, SessionFeed& feed)
      : spec_(spec), loop_(loop), feed_(feed) {}

  /// Posts an event and logs a line if the groups in the safe state have changed since the last look.
  void look() {
    if (loop_.latchedGroups() != known_.load(std::memory_order_acquire)) report();
  }

  /// Why the safe state is asked for from now on, for people: "by ..."; empty: by a request or by an overrun rule.
  void setReason(std::string reason) {
    std::lock_guard lock(mutex_);
    reason_ = std::move(reason);
  }
  std::string reason() const {
    std::lock_guard lock(mutex_);
    return reason_;
  }

 private:
  void report();

  const SessionSpec& spec_;
  const rt::TickLoop& loop_;
  SessionFeed& feed_;
  mutable std::mutex mutex_;
  std::string reason_;
  std::atomic<rt::GroupMask> known_{0};  ///< written under mutex_
};

}  // namespace tactus::server
