// BlockQueue: the bounded memory between the thread that collects ticks and the thread that waits for the disk.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace tactus::server {

/// Thread-safe; blocks are counted by their bytes.
template <class Block>
class BlockQueue {
 public:
  explicit BlockQueue(std::size_t capacity) : capacity_(capacity) {}

  /// Takes a block, if there is room for it and nobody has closed the queue. @returns false, and `block` is untouched
  bool push(Block& block, std::size_t bytes) {
    {
      std::lock_guard lock(mutex_);
      if (closed_ || (bytes_ > 0 && bytes_ + bytes > capacity_)) return false;
      bytes_ += bytes;
      blocks_.emplace_back(std::move(block), bytes);
    }
    changed_.notify_one();
    return true;
  }

  /// Waits for the oldest block, which counts until done(). @returns nothing when the queue is closed and empty
  std::optional<Block> pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closed_ || !blocks_.empty(); });
    if (blocks_.empty()) return {};
    std::optional<Block> block(std::move(blocks_.front().first));
    taken_ = blocks_.front().second;
    blocks_.pop_front();
    return block;
  }

  /// The block that was popped last is dealt with.
  void done() {
    std::lock_guard lock(mutex_);
    bytes_ -= std::exchange(taken_, 0);
  }

  /// No more blocks; those that wait can still be popped.
  void close() {
    {
      std::lock_guard lock(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
  }

  std::size_t bytes() const {
    std::lock_guard lock(mutex_);
    return bytes_;
  }
  std::size_t capacity() const noexcept { return capacity_; }

 private:
  const std::size_t capacity_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::pair<Block, std::size_t>> blocks_;
  std::size_t bytes_ = 0, taken_ = 0;
  bool closed_ = false;
};

}  // namespace tactus::server
