// Work of a call that takes seconds of the processor: in a thread that leaves the processor to everybody else.
#pragma once

#include <exception>
#include <thread>

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tactus::server {

/// Niceness of such a thread. Beside a thread of niceness 0 it gets a tenth of a core, alone it gets all of it.
inline constexpr int kLowPriorityNice = 10;

/// Runs `work` in a thread of its own and waits for it. A thread cannot raise its own priority again without rights, so
/// that of the caller stays.
/// @throws what `work` throws
template <class Work>
void runAtLowPriority(Work&& work) {
  std::exception_ptr failure;
  std::thread thread([&] {
    static_cast<void>(::setpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid)), kLowPriorityNice));
    try {
      work();
    } catch (...) { failure = std::current_exception(); }
  });
  thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace tactus::server
