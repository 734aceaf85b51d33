// The scheduling of the threads of a recording.
#pragma once

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <sched.h>

namespace tactus::server {

/// Raises the priority of the calling thread, where the system allows it. The thread uses little CPU time, and a crash
/// of the process loses whatever it has not written.
/// @param realtime  to the lowest real-time priority; else within the normal class
inline void raisePriority(bool realtime = false) noexcept {
  constexpr int kNice = -10;
  const sched_param lowest{1};
  if (realtime && ::sched_setscheduler(0, SCHED_FIFO, &lowest) == 0) return;
  static_cast<void>(::setpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid)), kNice));
}

}  // namespace tactus::server
