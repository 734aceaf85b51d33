#include "rt/ali3p/team.h"

#include "rt/error.h"

#include <immintrin.h>
#include <sched.h>

#include <algorithm>
#include <string>

namespace tactus::rt {

namespace {

constexpr int kSpinsBeforeYield = 20000;  ///< some hundred microseconds

int usableCores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

}  // namespace

void SpinBarrier::wait() noexcept {
  const unsigned round = round_.load(std::memory_order_relaxed);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
    arrived_.store(0, std::memory_order_relaxed);
    round_.store(round + 1, std::memory_order_release);
    return;
  }
  for (int spins = 0; round_.load(std::memory_order_acquire) == round; ++spins) {
    if (spins < kSpinsBeforeYield)
      _mm_pause();
    else
      sched_yield();
  }
}

int chooseThreads(int segments, int wanted, bool oversubscribe) {
  const int threads = std::clamp(wanted, 1, mostThreads(segments));
  if (const int cores = usableCores(); threads > cores && !oversubscribe)
    throw Error(std::to_string(threads) + " threads are more than the " + std::to_string(cores) +
                " cores that this process may use: a thread that waits for its core makes every step late");
  return threads;
}

}  // namespace tactus::rt
