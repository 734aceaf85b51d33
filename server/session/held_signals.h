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

/// While it exists, SIGINT and SIGTERM end the process, although the calling thread holds them otherwise.
class EndingSignals {
 public:
  EndingSignals() noexcept { set(SIG_UNBLOCK); }
  ~EndingSignals() { set(SIG_BLOCK); }
  EndingSignals(const EndingSignals&) = delete;
  EndingSignals& operator=(const EndingSignals&) = delete;

 private:
  static void set(int how) noexcept {
    sigset_t ends;
    ::sigemptyset(&ends);
    ::sigaddset(&ends, SIGINT);
    ::sigaddset(&ends, SIGTERM);
    ::pthread_sigmask(how, &ends, nullptr);
  }
};

}  // namespace tactus::server
