#include "server/session/event_log.h"

#include <algorithm>
#include <utility>

namespace tactus::server {

void EventLog::post(SessionEvent event) {
  {
    std::lock_guard lock(mutex_);
    if (events_.size() == capacity_) events_.pop_front();
    if (event.endsStreams() && !ending_) ending_ = event;
    events_.push_back(std::move(event));
    ++newest_;
  }
  changed_.notify_all();
}

std::uint64_t EventLog::newest() const {
  std::lock_guard lock(mutex_);
  return newest_;
}

EventLog::Opening EventLog::opening() const {
  std::lock_guard lock(mutex_);
  const auto newest = std::find_if(events_.rbegin(), events_.rend(), [](const SessionEvent& event) {
    using Kind = SessionEvent::Kind;
    return event.kind == Kind::kFinished || event.kind == Kind::kReset || event.kind == Kind::kRestored;
  });
  Opening found{newest_, {}};
  if (newest != events_.rend() && newest->kind == SessionEvent::Kind::kFinished) found.finished = *newest;
  return found;
}

std::vector<SessionEvent> EventLog::after(std::uint64_t& seen) const {
  std::lock_guard lock(mutex_);
  const std::uint64_t first = newest_ - events_.size();  // number before that of the oldest one kept
  const std::uint64_t skip = seen > first ? seen - first : 0;
  seen = newest_;
  return {events_.begin() + static_cast<std::ptrdiff_t>(skip), events_.end()};
}

bool EventLog::wait(std::uint64_t seen, std::chrono::nanoseconds timeout, const std::function<bool()>& stop) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, timeout, [&] { return newest_ > seen || (stop && stop()); });
}

std::optional<SessionEvent> EventLog::ending() const {
  std::lock_guard lock(mutex_);
  return ending_;
}

void EventLog::wake() {
  // A thread that has checked its `stop` sleeps by the time this thread has the lock.
  { std::lock_guard lock(mutex_); }
  changed_.notify_all();
}

}  // namespace tactus::server
