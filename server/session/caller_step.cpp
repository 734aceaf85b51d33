#include "server/session/caller_step.h"

#include "server/wire/request_error.h"

#include <chrono>
#include <string>
#include <thread>

namespace tactus::server {

namespace {

// How long a batch keeps other threads from the State.
constexpr std::chrono::milliseconds kBatch{5};

}  // namespace

void CallerStep::requireNone() const {
  if (active_) throw RequestError(Reason::kSessionState, "session", "a step is under way", "wait for it, or pause");
}

void CallerStep::begin() {
  if (active_.exchange(true))
    throw RequestError(Reason::kSessionState, "session", "another step is under way", "wait for it, or pause");
  interrupted_ = false;
}

void CallerStep::stop() noexcept {
  interrupted_ = true;
  active_.wait(true);
}

void CallerStep::run(std::int64_t ticks, const std::function<bool()>& cancelled) {
  struct Done {
    std::atomic<bool>& active;
    ~Done() {
      active = false;
      active.notify_all();
    }
  } done{active_};

  std::int64_t remaining = ticks;
  while (tickBatch(remaining)) {
    const bool interrupted = interrupted_;
    if (!interrupted && !(cancelled && cancelled())) {
      std::this_thread::yield();
      continue;
    }
    const std::string progress =
        " after " + std::to_string(ticks - remaining) + " of " + std::to_string(ticks) + " ticks";
    if (interrupted) throw RequestError(Reason::kSessionState, "session", "the step was interrupted" + progress);
    throw RequestError(Reason::kCancelled, "", "cancelled" + progress);
  }
}

// Returns false when there is nothing left to do.
bool CallerStep::tickBatch(std::int64_t& remaining) {
  const Lifecycle::Hold hold = lifecycle_.hold();
  if (interrupted_) return true;
  lifecycle_.enterFirstTick(hold);
  before_batch_(hold);
  const auto end = std::chrono::steady_clock::now() + kBatch;
  do {
    loop_.tick();
    --remaining;
    if (loop_.faulted() || loop_.finished()) break;
  } while (remaining > 0 && std::chrono::steady_clock::now() < end);
  lifecycle_.settle(hold);
  return remaining > 0 && !loop_.faulted() && !loop_.finished();
}

}  // namespace tactus::server
