// The cause of a late tick, from the resource counters that the kernel keeps for the thread. The counters are read
// after late ticks and once a second.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tactus::rt {

/// Resources that a thread has used since it began.
struct ThreadUsage {
  std::int64_t minor_faults = 0, major_faults = 0;
  std::int64_t involuntary_switches = 0;
  std::int64_t cpu_ns = 0;        ///< time that it ran
  std::int64_t run_queue_ns = 0;  ///< time that it was runnable while others ran; 0 if the kernel does not report it

  ThreadUsage operator-(const ThreadUsage& since) const noexcept;
};

enum class LateCause : std::uint8_t {
  kHostStall,   ///< the thread was neither running nor runnable: kernel or hypervisor did not wake it
  kPageFault,   ///< pages of memory were not present
  kPreemption,  ///< another thread ran instead
  kOwnWork,     ///< it ran all the time, and did more work than ticks that were on time
  kSlowRun,     ///< it ran longer than usual for the usual work: the hypervisor took or throttled the core, caches were
                ///< cold, or the program did work that TickWork does not count
};
inline constexpr std::size_t kLateCauses = 5;
const char* toString(LateCause cause) noexcept;

/// The work of a tick, as far as it differs from tick to tick.
struct TickWork {
  int factorizations = 0;
  int inputs = 0;  ///< inputs that arrived since the last tick

  bool isWithin(const TickWork& maximum) const noexcept {
    return factorizations <= maximum.factorizations && inputs <= maximum.inputs;
  }
};

/// The cause that explains at least half of the lost time; a host stall if none does. Time that a hypervisor takes
/// counts as running time of the thread; therefore running time is own work only if the tick had more work than others,
/// and a slow run otherwise.
/// @param[in] lost_ns   how long the thread overslept, or how long the tick took
/// @param[in] spent     resources used between the readings before and after the tick
/// @param[in] usual     resources that the thread would have used between them without the delay
/// @param[in] ordinary  the tick had no more work than ticks that were on time
LateCause causeOf(std::int64_t lost_ns, const ThreadUsage& spent, const ThreadUsage& usual, bool ordinary) noexcept;

/// A late tick and its cause.
struct LateTick {
  std::int64_t tick = 0;  ///< 0: none was late
  std::int64_t lost_ns = 0;
  bool at_work = false;  ///< the tick took too long; otherwise the thread overslept
  LateCause cause = LateCause::kHostStall;
};

/// Reads the usage of the thread that constructs it. Set-up: opens a file of /proc.
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

/// Classifies late ticks of one paced thread by comparison with its usual use of resources. Construct it in that
/// thread.
class LateTickAnalyzer {
 public:
  /// @param before  the tick before the first one of the run
  explicit LateTickAnalyzer(std::int64_t before) noexcept
      : before_(before), last_tick_(before), last_(reader_.read()) {}

  /// Whether the usual use is to be sampled after a tick: once a second, and in the first second of a run after 1, 2,
  /// 4, 8, ... ticks, so that late ticks can be judged from the beginning.
  /// @param second  ticks of a second
  bool isBaselineDue(std::int64_t tick, std::int64_t second) const noexcept;

  /// Takes the resources used since the last call as the usual use. Call it between two ticks, see isBaselineDue().
  /// @returns the resources used since the last call
  ThreadUsage sampleBaseline(std::int64_t tick) noexcept;

  /// Call after each tick that was on time.
  void recordOnTime(const TickWork& work) noexcept;

  /// Result of classify(), to be called after a late tick.
  struct Finding {
    LateCause cause;
    ThreadUsage spent;  ///< since the last call
  };
  Finding classify(std::int64_t tick, std::int64_t lost_ns, const TickWork& work) noexcept;

 private:
  ThreadUsage advance(std::int64_t tick) noexcept;
  ThreadUsage usual() const noexcept;

  UsageReader reader_;
  const std::int64_t before_;
  std::int64_t last_tick_;
  ThreadUsage last_;
  std::int64_t ticks_ = 0;  ///< between the last two readings
  ThreadUsage baseline_;    ///< of baseline_ticks_
  std::int64_t baseline_ticks_ = 1;
  TickWork max_work_{-1, -1};  ///< of the ticks that were on time
};

}  // namespace tactus::rt
