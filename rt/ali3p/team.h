// The threads that share a step.
#pragma once

#include <atomic>
#include <vector>

namespace tactus::rt {

/// Where the threads of a team meet. They spin: a step takes microseconds, and to be woken takes as long.
class SpinBarrier {
 public:
  explicit SpinBarrier(int threads) noexcept;

  /// Returns once all threads have called it. What they wrote before is then seen by all.
  /// @rt no allocation, no throw; sleeps only after having spun in vain for long, or where there are more threads than
  ///     cores
  void wait() noexcept;

 private:
  const int threads_;
  const int spins_;
  // In cache lines of their own: who waits does not take the one away that others arrive at.
  alignas(64) std::atomic<int> arrived_{0};
  alignas(64) std::atomic<unsigned> round_{0};
};

/// One thread's view of its team.
struct Team {
  int thread = 0, threads = 1;
  SpinBarrier* barrier = nullptr;  ///< of more than one thread

  void wait() const noexcept {
    if (barrier != nullptr) barrier->wait();
  }
};

/// Most threads that can share a step of a chain of so many segments: with more, some have nothing to do.
constexpr int maxThreads(int segments) noexcept {
  return segments < 16 ? 1 : segments / 8;
}

/// The number of threads for a Plan's steps: `wanted`, but no more than share the work, see maxThreads().
/// @param cpus  that they are bound to; empty: all that this process may use
/// @throws Error if they are more than their cores, unless `oversubscribe`
int chooseThreads(int most, int wanted, bool oversubscribe, const std::vector<int>& cpus = {});

}  // namespace tactus::rt
