// Watches what the current thread asks of the allocator, of locks and of the kernel's futexes. Link the target
// tactus_no_alloc_guard into a test program: it puts its own functions before those of the C library.
#pragma once

#include <cstdint>

namespace tactus::tests {

/// What one thread did while a guard was active.
struct GuardCounts {
  std::uint64_t allocations = 0;   ///< malloc and its kin, operator new
  std::uint64_t releases = 0;      ///< free, operator delete
  std::uint64_t locks = 0;         ///< mutexes, condition variables, read-write locks, semaphores that may wait
  std::uint64_t system_calls = 0;  ///< through syscall(): futexes of the loop

  std::uint64_t forbidden() const noexcept { return allocations + releases + locks; }
};

/// Counts from its construction to its destruction, in the thread that created it. Guards do not nest.
class NoAllocGuard {
 public:
  NoAllocGuard() noexcept;
  ~NoAllocGuard();

  NoAllocGuard(const NoAllocGuard&) = delete;
  NoAllocGuard& operator=(const NoAllocGuard&) = delete;

  /// So far.
  GuardCounts counts() const noexcept;
};

}  // namespace tactus::tests
