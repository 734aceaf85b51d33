// Work of a call that takes seconds of the processor: in a thread that leaves the processor to everybody else.
#pragma once

#include <chrono>
#include <condition_variable>
#include <ctime>
#include <exception>
#include <mutex>
#include <thread>

#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tactus::server {

/// Niceness of such a thread. Beside a thread of niceness 0 it gets a tenth of a core, alone it gets all of it.
inline constexpr int kLowPriorityNice = 10;

/// How often the caller looks after such work.
inline constexpr std::chrono::milliseconds kLookInterval{20};

/// Runs `work` in a thread of its own and waits for it. A thread cannot raise its own priority again without rights, so
/// that of the caller stays.
/// @param look  called in the caller's thread every kLookInterval with the time of the processor that `work` has taken
/// @throws what `work` throws
template <class Work, class Look>
void runAtLowPriority(Work&& work, Look&& look) {
  std::exception_ptr failure;
  std::mutex mutex;
  std::condition_variable changed;
  bool ended = false;
  std::thread thread([&] {
    static_cast<void>(::setpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid)), kLowPriorityNice));
    try {
      work();
    } catch (...) { failure = std::current_exception(); }
    std::lock_guard lock(mutex);
    ended = true;
    changed.notify_one();
  });
  clockid_t clock{};
  const bool measured = ::pthread_getcpuclockid(thread.native_handle(), &clock) == 0;
  for (std::unique_lock lock(mutex); !changed.wait_for(lock, kLookInterval, [&] { return ended; });) {
    timespec used{};
    if (measured && ::clock_gettime(clock, &used) == 0)
      look(std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec));
  }
  thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace tactus::server
