// BlockQueue: a bounded queue between the thread that collects ticks and the thread that writes to the disk.
#pragma once

#include "server/record/queue_budget.h"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace tactus::server {

/// Bytes of a queue.
struct QueueLimits {
  std::size_t own = 0;                       ///< always there
  std::size_t most = 0;                      ///< with what the budget gives; at least `own`
  std::shared_ptr<QueueBudget> budget = {};  ///< shared with other queues; null: none, the queue may have `most`
};

/// Thread-safe. Its size is the number of bytes of its blocks.
template <class Block>
class BlockQueue {
 public:
  explicit BlockQueue(QueueLimits limits) : limits_(std::move(limits)) {}
  ~BlockQueue() { giveBack(0); }

  BlockQueue(const BlockQueue&) = delete;
  BlockQueue& operator=(const BlockQueue&) = delete;

  /// Takes a block if the queue is open and has room for it. @returns false otherwise; `block` is then unchanged
  bool push(Block& block, std::size_t bytes) {
    {
      std::lock_guard lock(mutex_);
      if (closed_ || !fits(bytes)) return false;
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
    giveBack(bytes_);
  }

  /// Refuses further blocks; waiting blocks can still be popped.
  void close() {
    {
      std::lock_guard lock(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
  }

  /// Drops the blocks that wait.
  void discard() {
    std::lock_guard lock(mutex_);
    blocks_.clear();
    bytes_ = taken_ = 0;
    giveBack(0);
  }

  std::size_t bytes() const {
    std::lock_guard lock(mutex_);
    return bytes_;
  }
  const QueueLimits& limits() const noexcept { return limits_; }

 private:
  // Takes what is missing from the budget. A block that finds the queue empty always fits.
  bool fits(std::size_t bytes) {
    const std::size_t sum = bytes_ + bytes;
    if (bytes_ == 0 || sum <= limits_.own) return true;
    if (sum > limits_.most) return false;
    const std::size_t borrowed = sum - limits_.own;
    if (!limits_.budget || borrowed <= borrowed_) return true;
    if (!limits_.budget->take(borrowed - borrowed_)) return false;
    borrowed_ = borrowed;
    return true;
  }

  // Returns to the budget what a queue of so many bytes does not need.
  void giveBack(std::size_t bytes) {
    const std::size_t needed = bytes > limits_.own ? bytes - limits_.own : 0;
    if (needed >= borrowed_) return;
    limits_.budget->give(borrowed_ - needed);
    borrowed_ = needed;
  }

  const QueueLimits limits_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::pair<Block, std::size_t>> blocks_;
  std::size_t bytes_ = 0, taken_ = 0;
  std::size_t borrowed_ = 0;  ///< from the budget
  bool closed_ = false;
};

}  // namespace tactus::server
