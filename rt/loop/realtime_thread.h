// What the tick thread asks of the machine, and what it got. All of it is set-up; nothing here runs in a tick.
//
// Order: build everything, create all other threads, prepareProcess(); then in the tick thread itself warm up the
// loop and enterRealtime(). Raising the class earlier would hand it on to threads created later.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tactus::rt {

/// One thing that was asked of the system.
struct Grant {
  std::string asked;  ///< "SCHED_FIFO 80", "cores 2-3", "locked memory"
  bool granted = false;
  std::string outcome;  ///< what holds now; where not granted: why, and what would mend it
};

/// "SCHED_FIFO 80: not granted: ..."
std::string describe(const Grant& grant);
bool allGranted(const std::vector<Grant>& grants) noexcept;

struct ProcessRequest {
  bool lock_memory = true;      ///< keep every page that has been touched in memory
  bool keep_freed_heap = true;  ///< never give freed memory back, so that it need not be faulted in again
};

/// Asks for what holds for the whole process. Call again at will.
std::vector<Grant> prepareProcess(const ProcessRequest& request);

struct ThreadRequest {
  int priority = 0;                      ///< of SCHED_FIFO, 1 to 99; 0 keeps the class
  std::vector<int> cpus;                 ///< cores to run on; empty for any
  std::size_t stack_bytes = 256 * 1024;  ///< of the stack to touch now
};

/// Asks for what holds for the calling thread: touched stack, timer slack 1 ns, affinity, and last the class.
/// Threads that this thread creates afterwards start in the normal class.
std::vector<Grant> enterRealtime(const ThreadRequest& request);

}  // namespace tactus::rt
