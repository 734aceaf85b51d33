// Why a tick came late: told from what the kernel says about the thread, read after a late tick and never before one.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tactus::rt {

/// What a thread has used since it began.
struct ThreadUsage {
  std::int64_t minor_faults = 0, major_faults = 0;
  std::int64_t involuntary_switches = 0;
  std::int64_t cpu_ns = 0;        ///< time that it ran
  std::int64_t run_queue_ns = 0;  ///< time that it could have run while others did; 0 where the kernel does not say

  ThreadUsage operator-(const ThreadUsage& since) const noexcept;
};

enum class LateCause : std::uint8_t {
  kHostStall,   ///< the thread neither ran nor waited for a core: the kernel or the host beneath it did not wake it; or
                ///< it ran, for longer than always over no more work than always: the host took the core, or slowed it
  kPageFault,   ///< memory that had to be fetched
  kPreemption,  ///< another thread ran in its place
  kOwnWork,     ///< it ran all the time, and did more than ticks that were on time
};
inline constexpr std::size_t kLateCauses = 4;
const char* toString(LateCause cause) noexcept;

/// What a tick had to do, as far as that differs from tick to tick.
struct TickWork {
  int factorizations = 0;
  int inputs = 0;  ///< that came since the last tick

  bool isWithin(const TickWork& most) const noexcept {
    return factorizations <= most.factorizations && inputs <= most.inputs;
  }
};

/// The cause that explains at least half of what was lost; a host stall if none does. The kernel counts what a
/// hypervisor takes as time that the thread ran; so work is only blamed if there was more of it.
/// @param[in] lost_ns    how long the thread overslept, or how long the tick took
/// @param[in] spent      what it used from some moment before until after
/// @param[in] usual_cpu  of that, the CPU time that it would have used anyhow
/// @param[in] ordinary   the tick had no more to do than others that were on time
LateCause causeOf(std::int64_t lost_ns, const ThreadUsage& spent, std::int64_t usual_cpu_ns, bool ordinary) noexcept;

/// A late tick and its cause.
struct LateTick {
  std::int64_t tick = 0;  ///< 0: none was late
  std::int64_t lost_ns = 0;
  bool at_work = false;  ///< the tick took too long; otherwise the thread overslept
  LateCause cause = LateCause::kHostStall;
};

/// Reads the usage of the thread that made it. Set-up: opens a file of /proc.
class UsageReader {
 public:
  UsageReader() noexcept;
  ~UsageReader();
  UsageReader(const UsageReader&) = delete;
  UsageReader& operator=(const UsageReader&) = delete;

  /// Three system calls: not within a tick. @rt no allocation, no lock
  ThreadUsage read() const noexcept;

 private:
  int schedstat_;
};

/// Keeps an eye on one paced thread: what it usually uses, and why a tick came late.
class LateWitness {
 public:
  explicit LateWitness(std::int64_t first_tick) noexcept : last_tick_(first_tick), last_(reader_.read()) {}

  /// Between two ticks, now and then: what was used since the last call is taken as usual.
  /// @returns what was used since then
  ThreadUsage calm(std::int64_t tick) noexcept;

  /// After each tick that was on time.
  void note(const TickWork& work) noexcept;

  /// After a late tick.
  struct Finding {
    LateCause cause;
    ThreadUsage spent;  ///< since the last call
  };
  Finding judge(std::int64_t tick, std::int64_t lost_ns, const TickWork& work) noexcept;

 private:
  ThreadUsage advance(std::int64_t tick) noexcept;

  UsageReader reader_;
  std::int64_t last_tick_;
  ThreadUsage last_;
  std::int64_t ticks_ = 0;         ///< between the last two readings
  std::int64_t usual_cpu_ns_ = 0;  ///< of a tick
  TickWork most_{-1, -1};          ///< of the ticks that were on time
};

}  // namespace tactus::rt
