// Outbox: the writes of several threads to one stream of the callback API, one at a time and in order.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

namespace tactus::server {

template <class Response>
class Outbox {
 public:
  /// @param start  begins a write, whose end is reported by written(), but not in the same call
  /// @param cancel  cancels the stream, so that a write under way ends
  Outbox(std::function<void(const Response*)> start, std::function<void()> cancel)
      : start_(std::move(start)), cancel_(std::move(cancel)) {}

  /// Sends a message that must not change until `done` is called, in the thread that reports the end of the write, or
  /// in this one if the stream is broken.
  void send(const Response& message, std::function<void()> done) { enqueue({&message, nullptr, std::move(done)}); }

  /// Sends a message of its own.
  void send(std::unique_ptr<const Response> message) {
    const Response* borrowed = message.get();
    enqueue({borrowed, std::move(message), nullptr});
  }

  /// Sends and waits. Not from a reaction. @returns false if the stream is broken
  bool write(const Response& message) {
    bool done = false;
    send(message, [&] {
      {
        std::lock_guard lock(mutex_);
        done = true;
      }
      changed_.notify_all();
    });
    std::unique_lock lock(mutex_);
    await(lock, [&] { return done; });
    return !broken_;
  }

  /// To be called by OnWriteDone.
  void written(bool ok) {
    Entry ended;
    std::deque<Entry> dropped;
    {
      std::lock_guard lock(mutex_);
      ended = std::move(entries_.front());
      entries_.pop_front();
      if (!ok) {
        broken_ = true;
        dropped.swap(entries_);
      } else if (!entries_.empty()) {
        start_(entries_.front().message);
      }
    }
    if (ended.done) ended.done();
    for (const Entry& entry : dropped)
      if (entry.done) entry.done();
    changed_.notify_all();
  }

  /// The client is leaving: a write that it does not accept within the grace time is cancelled, with the call.
  void leave() {
    {
      std::lock_guard lock(mutex_);
      leaving_ = true;
    }
    changed_.notify_all();
  }

  /// Waits until nothing is being written and refuses later messages. Not from a reaction.
  void close() {
    std::unique_lock lock(mutex_);
    await(lock, [&] { return entries_.empty(); });
    broken_ = true;
  }

 private:
  struct Entry {
    const Response* message = nullptr;
    std::unique_ptr<const Response> own;
    std::function<void()> done;
  };

  static constexpr std::chrono::milliseconds kGrace{300};

  void enqueue(Entry entry) {
    {
      std::lock_guard lock(mutex_);
      if (!broken_) {
        entries_.push_back(std::move(entry));
        if (entries_.size() == 1) start_(entries_.front().message);
        return;
      }
    }
    if (entry.done) entry.done();
  }

  template <class Condition>
  void await(std::unique_lock<std::mutex>& lock, Condition condition) {
    changed_.wait(lock, [&] { return condition() || leaving_; });
    if (changed_.wait_for(lock, kGrace, condition)) return;
    cancel_();
    changed_.wait(lock, condition);
  }

  const std::function<void(const Response*)> start_;
  const std::function<void()> cancel_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Entry> entries_;  ///< the first one is being written
  bool broken_ = false, leaving_ = false;
};

}  // namespace tactus::server
