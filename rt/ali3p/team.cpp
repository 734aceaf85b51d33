#include "rt/ali3p/team.h"

#include "rt/ali3p/region_order.h"
#include "rt/error.h"

#include <immintrin.h>
#include <omp.h>

#include <algorithm>
#include <string>

namespace tactus::rt {

namespace {

constexpr int kSpins = 5000;  ///< some ten to a hundred microseconds

/// Cores of this process. The calling thread may have fewer, where OpenMP has bound it (OMP_PROC_BIND).
int usableCores() noexcept {
  return omp_get_num_procs();
}

/// OpenMP must not give a team of fewer threads than it is asked for.
void requireTeam(int threads) {
  omp_set_dynamic(0);  // OMP_DYNAMIC, of the calling thread
  if (const int limit = omp_get_thread_limit(); threads > limit)
    throw Error(std::to_string(threads) + " threads are more than the " + std::to_string(limit) +
                " that OMP_THREAD_LIMIT allows: unset it, or ask for fewer threads");
  if (omp_get_max_active_levels() < 1)
    throw Error(std::to_string(threads) +
                " threads cannot share a step with OMP_MAX_ACTIVE_LEVELS=0: unset it, or ask for one thread");
}

}  // namespace

SpinBarrier::SpinBarrier(int threads) noexcept : threads_(threads), spins_(threads > usableCores() ? 0 : kSpins) {}

void SpinBarrier::wait() noexcept {
  const unsigned round = round_.load(std::memory_order_relaxed);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
    arrived_.store(0, std::memory_order_relaxed);
    // Sequentially consistent: the library looks for sleepers next, and the processor may not do that first.
    round_.store(round + 1, std::memory_order_seq_cst);
    round_.notify_all();  // a system call only if a thread sleeps
    return;
  }
  for (int spins = 0; spins < spins_; ++spins) {
    if (round_.load(std::memory_order_acquire) != round) return;
    _mm_pause();
  }
  round_.wait(round, std::memory_order_acquire);
}

TACTUS_OPENS_REGION void runInTeam(int threads, const std::function<void(int thread)>& body) {
  int given = 0;
  omp_set_dynamic(0);  // of the calling thread
  RegionOrder::beforeRegion();
#pragma omp parallel num_threads(threads)
  {
    RegionOrder::regionBegins();
    const bool is_whole = omp_get_num_threads() == threads;
    if (omp_get_thread_num() == 0) given = omp_get_num_threads();
    if (is_whole) body(omp_get_thread_num());
    RegionOrder::regionEnds();
  }
  RegionOrder::afterRegion();
  if (given != threads)
    throw Error("OpenMP gives " + std::to_string(given) + " of " + std::to_string(threads) +
                " threads: see OMP_THREAD_LIMIT and OMP_MAX_ACTIVE_LEVELS");
}

int chooseThreads(int maximum, int wanted, bool oversubscribe, const std::vector<int>& cpus) {
  const int cores = cpus.empty() ? usableCores() : static_cast<int>(cpus.size());
  if (wanted > cores && !oversubscribe)
    throw Error(std::to_string(wanted) + " threads are more than the " + std::to_string(cores) +
                (cpus.empty() ? " cores that this process may use" : " cores that they are bound to") +
                ": a thread that waits for its core makes every step late");
  const int threads = std::clamp(wanted, 1, maximum);
  if (threads > 1) requireTeam(threads);
  return threads;
}

}  // namespace tactus::rt
