#include "rt/loop/realtime_thread.h"

#include "rt/ali3p/team.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include <alloca.h>
#include <linux/capability.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tactus::rt {

namespace {

/// Whether the process holds a capability now.
bool hasCapability(unsigned capability) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3]{};
  if (syscall(SYS_capget, &header, data) != 0) return false;
  return (data[capability / 32].effective >> (capability % 32)) & 1u;
}

rlim_t limitOf(__rlimit_resource resource) {
  rlimit limit{};
  return getrlimit(resource, &limit) == 0 ? limit.rlim_cur : 0;
}

std::string errorText(int error) {
  return std::strerror(error);
}

Grant keepFreedHeap() {
  // 1 GiB before the top of the heap is given back; 32 MiB is glibc's largest threshold for a mapping of its own.
  const bool kept = mallopt(M_TRIM_THRESHOLD, 1 << 30) == 1 && mallopt(M_MMAP_THRESHOLD, 32 << 20) == 1;
  return {"keep freed heap", kept, kept ? "trimmed above 1 GiB only" : "this allocator takes no such options"};
}

Grant lockMemory() {
  // Pages are locked as they are touched: what the tick uses has been touched before its first deadline, and thread
  // unused stacks and arenas cost no memory.
  const bool unlimited = limitOf(RLIMIT_MEMLOCK) == RLIM_INFINITY || hasCapability(CAP_IPC_LOCK);
  // Under a limit, locking the future too would make later allocations fail.
  const int flags = MCL_CURRENT | MCL_ONFAULT | (unlimited ? MCL_FUTURE : 0);
  if (mlockall(flags) == 0) {
    return {"locked memory", true, unlimited ? "present and future pages, as they are touched" : "present pages only"};
  }
  return {"locked memory", false,
          errorText(errno) + "; needs CAP_IPC_LOCK or a higher RLIMIT_MEMLOCK (is " +
              std::to_string(limitOf(RLIMIT_MEMLOCK) / 1024) + " KiB, see ulimit -l)"};
}

[[gnu::noinline]] void touchStack(std::size_t bytes) {
  auto* stack = static_cast<volatile char*>(alloca(bytes));
  for (std::size_t i = 0; i < bytes; i += 1024) stack[i] = 0;
}

Grant prefaultStack(std::size_t bytes) {
  // At most half of the stack of the thread; the rest is for the callers.
  std::size_t size = 0;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    pthread_attr_getstacksize(&attributes, &size);
    pthread_attr_destroy(&attributes);
  }
  const std::size_t touched = std::min(bytes, size / 2);
  touchStack(touched);
  return {"touched stack of " + std::to_string(bytes / 1024) + " KiB", touched == bytes,
          std::to_string(touched / 1024) + " KiB of " + std::to_string(size / 1024)};
}

Grant setTimerSlack() {
  const bool set = prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL) == 0;
  return {"timer slack 1 ns", set, set ? "1 ns" : errorText(errno)};
}

std::string formatCpus(const cpu_set_t& set) {
  std::string text;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &set)) continue;
    if (!text.empty()) text += ',';
    text += std::to_string(cpu);
  }
  return text;
}

Grant setAffinity(const std::vector<int>& cpus) {
  cpu_set_t wanted;
  CPU_ZERO(&wanted);
  bool known = true;
  for (const int cpu : cpus) {
    known = known && cpu >= 0 && cpu < CPU_SETSIZE;
    if (cpu >= 0 && cpu < CPU_SETSIZE) CPU_SET(cpu, &wanted);
  }
  const std::string asked = "cores " + formatCpus(wanted);
  if (!known) return {asked, false, "a core number is not in 0 to " + std::to_string(CPU_SETSIZE - 1)};
  if (sched_setaffinity(0, sizeof wanted, &wanted) != 0) {
    return {asked, false,
            errorText(errno) + "; the machine has cores 0 to " + std::to_string(sysconf(_SC_NPROCESSORS_CONF) - 1)};
  }

  // The kernel drops cores that a cpuset denies; only the full list counts.
  cpu_set_t got;
  CPU_ZERO(&got);
  sched_getaffinity(0, sizeof got, &got);
  const bool all = CPU_EQUAL(&wanted, &got);
  return {asked, all, "cores " + formatCpus(got) + (all ? "" : "; the others are offline or outside the cpuset")};
}

/// "SCHED_FIFO 80"
std::string formatClass(const ThreadClass& wanted) {
  const std::string priority = " " + std::to_string(wanted.priority);
  switch (wanted.policy) {
    case SCHED_OTHER: return "SCHED_OTHER";
    case SCHED_BATCH: return "SCHED_BATCH";
    case SCHED_IDLE: return "SCHED_IDLE";
    case SCHED_FIFO: return "SCHED_FIFO" + priority;
    case SCHED_RR: return "SCHED_RR" + priority;
    default: return "scheduling policy " + std::to_string(wanted.policy) + priority;
  }
}

/// Sets the class of the calling thread. @returns 0 or errno
int setClass(const ThreadClass& wanted) noexcept {
  sched_param parameters{};
  parameters.sched_priority = wanted.priority;
  return sched_setscheduler(0, wanted.policy | SCHED_RESET_ON_FORK, &parameters) == 0 ? 0 : errno;
}

Grant raiseClass(int priority) {
  const ThreadClass wanted{SCHED_FIFO, priority};
  const std::string asked = formatClass(wanted);
  const int error = setClass(wanted);
  if (error == 0) return {asked, true, asked};

  std::string why = errorText(error);
  if (error == EPERM) {
    why += "; needs CAP_SYS_NICE or RLIMIT_RTPRIO >= " + std::to_string(priority) + " (is " +
           std::to_string(limitOf(RLIMIT_RTPRIO)) + ", see ulimit -r)";
  } else if (error == EINVAL) {
    why += "; a priority is " + std::to_string(sched_get_priority_min(SCHED_FIFO)) + " to " +
           std::to_string(sched_get_priority_max(SCHED_FIFO));
  }
  return {asked, false, why};
}

}  // namespace

std::string describe(const Grant& grant) {
  return grant.asked + ": " + (grant.granted ? "granted: " : "not granted: ") + grant.outcome;
}

bool allGranted(const std::vector<Grant>& grants) noexcept {
  return std::all_of(grants.begin(), grants.end(), [](const Grant& grant) { return grant.granted; });
}

std::vector<Grant> prepareProcess(const ProcessRequest& request) {
  std::vector<Grant> grants;
  if (request.keep_freed_heap) grants.push_back(keepFreedHeap());
  if (request.lock_memory) grants.push_back(lockMemory());
  return grants;
}

std::vector<Grant> enterRealtime(const ThreadRequest& request) {
  std::vector<Grant> grants;
  if (request.stack_bytes > 0) grants.push_back(prefaultStack(request.stack_bytes));
  grants.push_back(setTimerSlack());
  if (!request.cpus.empty()) grants.push_back(setAffinity(request.cpus));
  if (request.priority != 0) grants.push_back(raiseClass(request.priority));
  return grants;
}

ThreadClass threadClass() noexcept {
  ThreadClass now;
  now.policy = sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;
  sched_param parameters{};
  if (sched_getparam(0, &parameters) == 0) now.priority = parameters.sched_priority;
  return now;
}

Grant shareClassWithTeam(int threads) {
  const ThreadClass wanted = threadClass();
  std::vector<int> errors(static_cast<std::size_t>(threads), 0);
  runInTeam(threads, [&](int thread) {
    if (threadClass() != wanted) errors[static_cast<std::size_t>(thread)] = setClass(wanted);
  });
  const std::string name = formatClass(wanted),
                    asked = name + " for the " + std::to_string(threads) + " threads of a step";
  const auto refused = std::find_if(errors.begin(), errors.end(), [](int error) { return error != 0; });
  if (refused == errors.end()) return {asked, true, name};
  return {asked, false, "thread " + std::to_string(refused - errors.begin()) + " of the step: " + errorText(*refused)};
}

}  // namespace tactus::rt
