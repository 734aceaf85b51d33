// The threads that share a step.
#pragma once

#include <atomic>
#include <functional>
#include <vector>

namespace tactus::rt {

/// A barrier at which the threads of a team spin: a step takes microseconds, and waking a sleeping thread takes as
/// long.
class SpinBarrier {
 public:
  explicit SpinBarrier(int threads) noexcept;

  /// Returns once all threads have called it. All threads then see what each thread wrote before its call.
  /// @rt no allocation, no throw; sleeps only after a long spin, or where there are more threads than cores
  void wait() noexcept;

 private:
  const int threads_;
  const int spins_;
  // In separate cache lines: a thread that waits must not take away the line at which others arrive.
  alignas(64) std::atomic<int> arrived_{0};
  alignas(64) std::atomic<unsigned> round_{0};
};

/// One thread's view of its team.
struct Team {
  int thread = 0, threads = 1;
  SpinBarrier* barrier = nullptr;  ///< null for one thread

  void wait() const noexcept {
    if (barrier != nullptr) barrier->wait();
  }
};

/// Calls `body` with 0 to `threads` - 1, each in one thread of the team that shares the steps of the calling thread;
/// starts the team where it does not exist. Set-up.
/// @param body  must not throw
/// @throws Error if OpenMP gives fewer threads; `body` is then not called
void runInTeam(int threads, const std::function<void(int thread)>& body);

/// Maximum number of threads that can share a step of a chain with `segments` segments: one for each lane group of
/// eight segments.
constexpr int maxThreads(int segments) noexcept {
  return segments < 16 ? 1 : segments / 8;
}

/// The number of threads for a Plan's steps: `wanted`, but at most `maximum`, see maxThreads().
/// @param cpus  cores that the threads are bound to; empty: all that this process may use
/// @throws Error if there are more threads than cores, unless `oversubscribe`, or more than OpenMP's variables allow
int chooseThreads(int maximum, int wanted, bool oversubscribe, const std::vector<int>& cpus = {});

}  // namespace tactus::rt
