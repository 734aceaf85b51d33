// BlockQueue: a bounded queue between the thread that collects ticks and the thread that writes to the disk.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace tactus::server {

/// Thread-safe. Its size is the number of bytes of its blocks.
template <class Block>
class BlockQueue {
 public:
  explicit BlockQueue(std::size_t capacity) : capacity_(capacity) {}

  /// Takes a block if the queue is open and has room for it. @returns false otherwise; `block` is then unchanged
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

  /// Waits for the oldest block, which counts until done(). @returns none when the queue is closed and empty
  std::optional<Block> pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closed_ || !blocks_.empty(); });
    if (blocks_.empty()) return {};
    std::optional<Block> block(std::move(blocks_.front().first));
    taken_ = blocks_.front().second;
    blocks_.pop_front();
    return block;
  }

  /// The block that was popped last is written: it no longer counts.
  void done() {
    std::lock_guard lock(mutex_);
    bytes_ -= std::exchange(taken_, 0);
  }

  /// Refuses further blocks; waiting blocks can still be popped.
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
