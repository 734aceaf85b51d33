// StreamSlots: how many streams are open, and whose; each keeps a thread. The same for downloads, and for analyses,
// which keep a core.
#pragma once

#include "server/door/quota.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>

namespace tactus::server {

class StreamSlots {
 public:
  explicit StreamSlots(const Quota& quota) : quota_(quota) {}
  /// After the end of all slots. The thread of the last one may be about to leave giveBack().
  ~StreamSlots() { const std::lock_guard lock(mutex_); }
  StreamSlots(const StreamSlots&) = delete;
  StreamSlots& operator=(const StreamSlots&) = delete;

  /// A slot for the life of a stream. @throws RequestError kLimitExceeded
  class Slot {
   public:
    Slot(StreamSlots& slots, const Peer& peer) : slots_(slots), owner_(peer.name) { slots_.take(peer); }
    ~Slot() { slots_.giveBack(owner_); }
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;

   private:
    StreamSlots& slots_;
    const std::string owner_;
  };

  /// Sleeps until no stream is open, or until the timeout.
  void awaitNone(std::chrono::nanoseconds timeout) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, timeout, [this] { return open_.empty(); });
  }

 private:
  void take(const Peer& peer) {
    std::lock_guard lock(mutex_);
    QuotaUse use;
    for (const auto& [owner, count] : open_) use.add(peer, owner, count);
    requireRoom(quota_, peer, use);
    ++open_[peer.name];
  }

  void giveBack(const std::string& owner) {
    // Under the lock: a thread that awaits the last stream may destroy this object next.
    std::lock_guard lock(mutex_);
    const auto found = open_.find(owner);
    if (--found->second == 0) open_.erase(found);
    changed_.notify_all();
  }

  const Quota quota_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, std::size_t> open_;  ///< by owner, who has at least one
};

}  // namespace tactus::server
