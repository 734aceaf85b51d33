// QueueBudget: memory that the queues of all recordings of a server share, beyond what each has of its own.
#pragma once

#include <atomic>
#include <cstddef>

namespace tactus::server {

/// Thread-safe.
class QueueBudget {
 public:
  explicit QueueBudget(std::size_t bytes) : free_(bytes) {}

  /// @returns false, and takes nothing, if there is not so much
  bool take(std::size_t bytes) noexcept {
    std::size_t free = free_.load();
    while (free >= bytes)
      if (free_.compare_exchange_weak(free, free - bytes)) return true;
    return false;
  }

  void give(std::size_t bytes) noexcept { free_ += bytes; }

  std::size_t free() const noexcept { return free_; }

 private:
  std::atomic<std::size_t> free_;
};

}  // namespace tactus::server
