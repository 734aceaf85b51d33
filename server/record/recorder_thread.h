// What a thread of a recording asks of the scheduler.
#pragma once

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tactus::server {

/// Has the calling thread run before others of the normal class, where that is allowed: it does little, and what it has
/// not done is lost with the process.
inline void preferOverOthers() noexcept {
  constexpr int kNice = -10;
  static_cast<void>(::setpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid)), kNice));
}

}  // namespace tactus::server
