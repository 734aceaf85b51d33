#include "server/cli/interrupt_flag.h"

#include <csignal>

namespace tactus::server {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler writes it");

}  // namespace

InterruptFlag::InterruptFlag() {
  interrupted.store(false);
  previous_ = std::signal(SIGINT, [](int) { interrupted.store(true); });
}

InterruptFlag::~InterruptFlag() {
  std::signal(SIGINT, previous_);
}

const std::atomic<bool>& InterruptFlag::flag() const noexcept {
  return interrupted;
}

}  // namespace tactus::server
