#include "server/service/awake_pollers.h"

#include <dlfcn.h>
#include <grpc/support/time.h>
#include <pthread.h>

#include <atomic>
#include <string_view>

namespace tactus::server {

namespace {

std::atomic<std::uint64_t> spared_sleeps{0};

constexpr std::string_view kPoller = "nexting_thread";  // the name that gRPC gives to such a thread

bool isPoller() noexcept {
  char name[16] = "";  // the longest that Linux keeps
  return ::pthread_getname_np(::pthread_self(), name, sizeof name) == 0 && name == kPoller;
}

}  // namespace

std::uint64_t sparedSleeps() noexcept {
  return spared_sleeps;
}

extern "C" void gpr_sleep_until(gpr_timespec until) {
  if (isPoller()) {
    ++spared_sleeps;
    return;
  }
  static auto* const sleep = reinterpret_cast<void (*)(gpr_timespec)>(::dlsym(RTLD_NEXT, "gpr_sleep_until"));
  sleep(until);
}

}  // namespace tactus::server
