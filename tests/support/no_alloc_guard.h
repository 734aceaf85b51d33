// Watches what threads ask of the allocator, of locks and of the kernel's futexes. Link the target
// tactus_no_alloc_guard into a test program: it puts its own functions before those of the C library.
#pragma once

#include <cstdint>

namespace tactus::tests {

/// What the watched threads did while a guard was active.
struct GuardCounts {
  std::uint64_t allocations = 0;   ///< malloc and its kin, operator new
  std::uint64_t releases = 0;      ///< free, operator delete
  std::uint64_t locks = 0;         ///< mutexes, condition variables, read-write locks, semaphores that may wait
  std::uint64_t system_calls = 0;  ///< through syscall(): futexes of the loop

  std::uint64_t forbidden() const noexcept { return allocations + releases + locks; }
};

/// Counts from its construction to its destruction. Guards do not nest.
class NoAllocGuard {
 public:
  enum class Threads {
    kOwn,  ///< the thread that creates the guard
    kAll   ///< all threads of the process; the system calls of its own thread alone
  };
  explicit NoAllocGuard(Threads threads = Threads::kOwn) noexcept;
  ~NoAllocGuard();

  NoAllocGuard(const NoAllocGuard&) = delete;
  NoAllocGuard& operator=(const NoAllocGuard&) = delete;

  /// So far.
  GuardCounts counts() const noexcept;
};

}  // namespace tactus::tests
