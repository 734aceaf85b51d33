// HeldSignals: which threads handle signals.
#pragma once

#include <csignal>

namespace tactus::server {

/// While it exists, the calling thread handles no signal. Threads that it starts meanwhile never handle one: a thread
/// begins with the signals that its creator holds.
class HeldSignals {
 public:
  HeldSignals() noexcept {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  ~HeldSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

 private:
  sigset_t before_;
};

}  // namespace tactus::server
