// Why a tick was late: concluded from the kernel's account of the thread, which is read after late ticks only.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tactus::rt {

/// Resources that a thread has used since it began.
struct ThreadUsage {
  std::int64_t minor_faults = 0, major_faults = 0;
  std::int64_t involuntary_switches = 0;
  std::int64_t cpu_ns = 0;        ///< time that it ran
  std::int64_t run_queue_ns = 0;  ///< time that it was runnable while other threads ran; 0 if the kernel does not tell

  ThreadUsage operator-(const ThreadUsage& since) const noexcept;
};

enum class LateCause : std::uint8_t {
  kHostStall,  ///< the thread was neither running nor runnable (kernel or hypervisor did not wake it), or it ran longer
               ///< than usual for the usual work (the hypervisor took or throttled the core)
  kPageFault,  ///< memory had to be fetched
  kPreemption,  ///< another thread ran instead
  kOwnWork,     ///< it ran all the time, and did more work than ticks that were on time
};
inline constexpr std::size_t kLateCauses = 4;
const char* toString(LateCause cause) noexcept;

/// The work of a tick, as far as it differs from tick to tick.
struct TickWork {
  int factorizations = 0;
  int inputs = 0;  ///< that came since the last tick

  bool isWithin(const TickWork& maximum) const noexcept {
    return factorizations <= maximum.factorizations && inputs <= maximum.inputs;
  }
};

/// The cause that explains at least half of the lost time; a host stall if none does. Time that a hypervisor takes
/// counts as running time of the thread; therefore own work is a cause only if the tick had more of it than others.
/// @param[in] lost_ns       how long the thread overslept, or how long the tick took
/// @param[in] spent         resources used from a moment before until after
/// @param[in] usual_cpu_ns  of that, the CPU time that the thread would have used without the delay
/// @param[in] ordinary      the tick had no more work than ticks that were on time
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

/// Finds why a tick of one paced thread was late, by comparison with its usual use of resources. Made in that thread.
class LateTickAnalyzer {
 public:
  explicit LateTickAnalyzer(std::int64_t first_tick) noexcept : last_tick_(first_tick), last_(reader_.read()) {}

  /// Between two ticks, from time to time: takes the use since the last call as usual.
  /// @returns the use since the last call
  ThreadUsage sampleBaseline(std::int64_t tick) noexcept;

  /// After each tick that was on time.
  void recordOnTime(const TickWork& work) noexcept;

  /// After a late tick.
  struct Finding {
    LateCause cause;
    ThreadUsage spent;  ///< since the last call
  };
  Finding classify(std::int64_t tick, std::int64_t lost_ns, const TickWork& work) noexcept;

 private:
  ThreadUsage advance(std::int64_t tick) noexcept;

  UsageReader reader_;
  std::int64_t last_tick_;
  ThreadUsage last_;
  std::int64_t ticks_ = 0;         ///< between the last two readings
  std::int64_t usual_cpu_ns_ = 0;  ///< of a tick
  TickWork max_work_{-1, -1};      ///< of the ticks that were on time
};

}  // namespace tactus::rt
