#include "server/cli/interrupt_flag.h"

#include "proto/text/exit_code.h"

#include <csignal>
#include <cstdlib>
#include <utility>

namespace tactus::server {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler writes it");

}  // namespace

InterruptFlag::InterruptFlag() {
  interrupted.store(false);
  previous_ = std::signal(SIGINT, [](int) { interrupted.store(true); });
}

InterruptFlag::InterruptFlag(std::chrono::milliseconds grace, std::function<void()> last) : InterruptFlag() {
  watcher_ = std::thread([this, grace, last = std::move(last)] {
    constexpr std::chrono::milliseconds kInterval{20};
    std::chrono::milliseconds waited{0};
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, kInterval, [this] { return closed_; })) {
      if (interrupted.load()) waited += kInterval;
      if (waited < grace) continue;
      last();
      std::_Exit(text::kExitUsage);
    }
  });
}

InterruptFlag::~InterruptFlag() {
  if (watcher_.joinable()) {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
    watcher_.join();
  }
  std::signal(SIGINT, previous_);
}

const std::atomic<bool>& InterruptFlag::flag() const noexcept {
  return interrupted;
}

}  // namespace tactus::server
