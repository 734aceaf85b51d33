// The futex system calls that the loop needs: wait on a word until a deadline, and wake the threads that wait on it.
#pragma once

#include <atomic>
#include <cstdint>

namespace tactus::rt {

/// Deadline that never comes.
inline constexpr std::int64_t kNever = -1;

/// Sleeps while `word` holds `expected`, until woken or until `deadline_ns` on CLOCK_MONOTONIC. May return early.
/// @returns false if the deadline has passed
bool futexWait(std::atomic<std::uint32_t>& word, std::uint32_t expected, std::int64_t deadline_ns) noexcept;

/// Wakes at most `count` threads that wait on `word`. One system call, never blocks.
void futexWake(std::atomic<std::uint32_t>& word, int count) noexcept;

}  // namespace tactus::rt
