// The scheduling of the threads of a recording.
#pragma once

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tactus::server {

/// Raises the priority of the calling thread within the normal scheduling class, where the system allows it. The thread
/// uses little CPU time, and a crash of the process loses whatever it has not written.
inline void raisePriority() noexcept {
  constexpr int kNice = -10;
  static_cast<void>(::setpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid)), kNice));
}

}  // namespace tactus::server
