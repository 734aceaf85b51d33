// Requests of the tick thread to the system for real-time operation, and which of them were granted. Set-up only.
//
// Order: build everything, create all other threads, prepareProcess(); then in the tick thread itself warm up the
// loop and enterRealtime(). Raise the class last: no other thread shall inherit it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tactus::rt {

/// One request to the system.
struct Grant {
  std::string asked;  ///< "SCHED_FIFO 80", "cores 2-3", "locked memory"
  bool granted = false;
  std::string outcome;  ///< the setting in force; if not granted: the reason and how to fix it
};

/// "SCHED_FIFO 80: not granted: ..."
std::string describe(const Grant& grant);
bool allGranted(const std::vector<Grant>& grants) noexcept;

struct ProcessRequest {
  bool lock_memory = true;      ///< keep every page that has been touched in memory
  bool keep_freed_heap = true;  ///< never return freed memory to the system, which would fault it in again
};

/// Makes the requests for the whole process. May be called repeatedly.
std::vector<Grant> prepareProcess(const ProcessRequest& request);

struct ThreadRequest {
  int priority = 0;                      ///< of SCHED_FIFO, 1 to 99; 0 keeps the class
  std::vector<int> cpus;                 ///< cores to run on; empty for any
  std::size_t stack_bytes = 256 * 1024;  ///< of the stack to touch now
};

/// Makes the requests for the calling thread: touched stack, timer slack 1 ns, affinity, and last the class.
/// Threads that this thread creates afterwards start in the normal class.
std::vector<Grant> enterRealtime(const ThreadRequest& request);

/// Scheduling class of a thread.
struct ThreadClass {
  int policy = 0;    ///< SCHED_OTHER, SCHED_FIFO, ..., without SCHED_RESET_ON_FORK
  int priority = 0;  ///< of SCHED_FIFO and SCHED_RR

  bool operator==(const ThreadClass&) const = default;
};

/// Class of the calling thread.
ThreadClass threadClass() noexcept;

/// Gives the team that shares the steps of the calling thread, see runInTeam(), the class of this thread: a thread of a
/// lower class would make the others wait. The team inherits the cores when it starts, but no real-time class.
Grant shareClassWithTeam(int threads);

}  // namespace tactus::rt
