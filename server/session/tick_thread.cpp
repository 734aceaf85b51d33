#include "server/session/tick_thread.h"

#include "server/session/held_signals.h"

#include <chrono>
#include <future>
#include <utility>

namespace tactus::server {

namespace {

// Longest sleep of the thread that tells the streams of the safe state. A tick that changes something wakes it.
constexpr std::chrono::milliseconds kLook{500};

}  // namespace

void TickThread::start() {
  stop_ = false;
  std::promise<void> entered;
  auto ready = entered.get_future();
  thread_ = std::thread([this, promise = std::move(entered)]() mutable {
    const HeldSignals held;  // the handler of a signal would delay a tick
    run([&promise](std::exception_ptr failure) { failure ? promise.set_exception(failure) : promise.set_value(); });
  });
  watch_ = std::thread([this] { watch(); });
  ready.get();
}

void TickThread::stop() {
  requestStop();
  if (thread_.joinable()) thread_.join();
  if (watch_.joinable()) watch_.join();
}

// A tick tells the streams nothing itself: it takes no lock.
void TickThread::watch() {
  std::uint32_t seen = loop_.alerts();
  while (!stop_) {
    lifecycle_.look();
    seen = loop_.waitAlert(seen, kLook);
  }
}

void TickThread::run(const std::function<void(std::exception_ptr)>& ready) {
  try {
    enter();
    clock_->calibrate();
    margin_ns_ = clock_->marginNs();
    startProbe();
  } catch (...) {
    lifecycle_.change(lifecycle_.hold(), SessionState::kPaused, SessionEvent::Kind::kPaused,
                      "the tick thread could not start");
    ready(std::current_exception());
    return;
  }
  ready(nullptr);
  const rt::TickLoop::End end = loop_.run(*clock_, stop_);
  {
    const Lifecycle::Hold hold = lifecycle_.hold();
    end == rt::TickLoop::End::kOverrun ? lifecycle_.stopAfterOverrun(hold, *clock_) : lifecycle_.settle(hold);
  }
  stopProbe();
}

void TickThread::enter() {
  std::vector<rt::Grant> grants;
  if (spec_.realtime.any()) grants = rt::prepareProcess({});
  const auto own = rt::enterRealtime({.priority = spec_.realtime.priority, .cpus = spec_.realtime.cpus});
  grants.insert(grants.end(), own.begin(), own.end());
  if (spec_.realtime.threads > 1) {
    const Lifecycle::Hold hold = lifecycle_.hold();
    loop_.warmUp();  // in this thread, because a team belongs to the thread that starts it
    if (loop_.threads() > 1) grants.push_back(rt::shareClassWithTeam(loop_.threads()));
  }
  std::lock_guard lock(mutex_);
  grants_ = std::move(grants);
}

std::vector<rt::Grant> TickThread::grants() const {
  std::lock_guard lock(mutex_);
  return grants_;
}

void TickThread::startProbe() {
  if (!spec_.clock.paced()) return;
  std::lock_guard lock(mutex_);
  probe_ = std::make_unique<rt::WakeProbe>(
      rt::ThreadRequest{.priority = spec_.realtime.priority, .cpus = spec_.realtime.cpus, .stack_bytes = 0});
}

void TickThread::stopProbe() {
  std::lock_guard lock(mutex_);
  if (!probe_) return;
  last_host_wake_ = probe_->summary();
  probe_.reset();
}

std::optional<rt::LatencySummary> TickThread::hostWake() const {
  std::lock_guard lock(mutex_);
  return probe_ ? std::optional(probe_->summary()) : last_host_wake_;
}

void TickThread::resetHostWake() {
  std::lock_guard lock(mutex_);
  last_host_wake_.reset();
  if (probe_) probe_->requestReset();
}

}  // namespace tactus::server
