// RequestLog: remembers the answer to each request id, so that a repeated request gets that answer and acts once.
#pragma once

#include "server/wire/request_error.h"

#include <chrono>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <future>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

namespace tactus::server {

/// The last `capacity` request ids with their answers. A failure is an answer, too. Thread-safe.
template <class Answer>
class RequestLog {
 public:
  explicit RequestLog(std::size_t capacity = 256) : capacity_(capacity) {}

  /// Runs `act` for the first request with this id. Every repetition gets the same answer.
  /// A repetition that arrives while the first request is running waits for it. An empty id always acts.
  ///
  /// @param content    of the request; the same id with other content is an error
  /// @param cancelled  called from time to time while waiting for another request
  /// @throws RequestError for a reused id or when cancelled; whatever `act` throws
  template <class Act>
  Answer once(const std::string& id, const std::string& content, const std::function<bool()>& cancelled, Act&& act) {
    if (id.empty()) return act();

    // Either this is the first request with its id, or there is an answer to wait for.
    std::promise<Answer> promise;
    std::shared_future<Answer> answer;
    {
      std::lock_guard lock(mutex_);
      if (auto found = entries_.find(id); found != entries_.end()) {
        if (found->second.content != content)
          throw RequestError(Reason::kRequestInvalid, "request_id", "the request id was used before with other content",
                             "choose a new id for each new request");
        answer = found->second.answer;
      } else {
        remember(id, Entry{content, promise.get_future().share()});
      }
    }
    if (answer.valid()) return wait(answer, cancelled);

    try {
      Answer result = act();
      promise.set_value(result);
      return result;
    } catch (...) {
      promise.set_exception(std::current_exception());
      throw;
    }
  }

 private:
  struct Entry {
    std::string content;
    std::shared_future<Answer> answer;
  };

  void remember(const std::string& id, Entry entry) {
    if (order_.size() == capacity_) {
      entries_.erase(order_.front());
      order_.pop_front();
    }
    order_.push_back(id);
    entries_.emplace(id, std::move(entry));
  }

  static Answer wait(const std::shared_future<Answer>& answer, const std::function<bool()>& cancelled) {
    while (answer.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) {
      if (cancelled && cancelled())
        throw RequestError(Reason::kCancelled, "", "cancelled while an equal request was at work");
    }
    return answer.get();
  }

  const std::size_t capacity_;
  std::mutex mutex_;
  std::deque<std::string> order_;
  std::unordered_map<std::string, Entry> entries_;
};

}  // namespace tactus::server
