// StreamSlots: how many streams are open; each keeps a thread. The same for analyses, which keep a core.
#pragma once

#include "server/wire/request_error.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>

namespace tactus::server {

class StreamSlots {
 public:
  /// @param what  takes a slot, for the error; and how to get one
  explicit StreamSlots(std::size_t limit, const char* what = "open streams", const char* hint = "close one first")
      : limit_(limit), what_(what), hint_(hint) {}

  /// A slot for the life of a stream. @throws RequestError kLimitExceeded
  class Slot {
   public:
    explicit Slot(StreamSlots& slots) : slots_(slots) { slots_.take(); }
    ~Slot() { slots_.giveBack(); }
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;

   private:
    StreamSlots& slots_;
  };

  /// Sleeps until no stream is open, or until the timeout.
  void awaitNone(std::chrono::nanoseconds timeout) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, timeout, [this] { return open_ == 0; });
  }

 private:
  void take() {
    std::lock_guard lock(mutex_);
    if (open_ >= limit_)
      throw RequestError(Reason::kLimitExceeded, "", "there are " + std::to_string(limit_) + ' ' + what_ + " already",
                         hint_);
    ++open_;
  }

  void giveBack() {
    // Under the lock: a thread that awaits the last stream may destroy this object next.
    std::lock_guard lock(mutex_);
    --open_;
    changed_.notify_all();
  }

  const std::size_t limit_;
  const std::string what_, hint_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t open_ = 0;
};

}  // namespace tactus::server
