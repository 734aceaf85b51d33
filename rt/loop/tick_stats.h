// TickStats: how long the ticks of a session took, and what happened to its deadlines and inputs.
#pragma once

#include "rt/loop/late_tick.h"
#include "rt/loop/latency_histogram.h"
#include "rt/loop/tick_clock.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

namespace tactus::rt {

/// Parts of a tick that are timed.
enum class Phase : std::uint8_t {
  kWake,        ///< lateness of the start after the deadline; only of ticks that a clock paces
  kInput,       ///< taking the input
  kSolve,       ///< the step
  kPublish,     ///< copying the Snapshot and waking a reader
  kTotal,       ///< from taking the input to the end of publishing
  kTurnaround,  ///< from the arrival of a client's input to the end of publishing the tick that used it
};
inline constexpr std::size_t kPhases = 6;
const char* toString(Phase phase) noexcept;

/// A copy of the statistics, for reports.
struct TickStatsReport {
  std::array<LatencySummary, kPhases> phases;          ///< by Phase
  std::int64_t ticks = 0;                              ///< steps, including one that failed
  std::int64_t missed_deadlines = 0;                   ///< grid points of the clock at which no tick started
  std::int64_t overruns = 0;                           ///< ticks that ended after the next grid point
  std::int64_t late_wakes = 0;                         ///< sleeps that ended a grid point or more too late
  std::int64_t overdue_deadlines = 0;                  ///< deadlines that passed before their tick could start
  std::int64_t max_consecutive_overdue = 0;            ///< longest run of them without a tick in time
  std::int64_t backfilled = 0;                         ///< ticks that catch-up started late
  std::int64_t slipped_ns = 0;                         ///< total time by which slip has moved the grid
  std::uint64_t inputs_used = 0;                       ///< inputs of a client that a tick took
  std::uint64_t inputs_superseded = 0;                 ///< replaced by a newer one before a tick took them
  std::uint64_t held_ticks = 0;                        ///< ticks without a new input
  std::uint64_t inputs_late = 0;                       ///< scheduled for a tick that was over
  std::uint64_t inputs_left_aside = 0;                 ///< inputs that were ignored in the safe state
  std::uint64_t input_losses = 0;                      ///< controllers that were lost
  std::uint64_t safe_entries = 0;                      ///< ticks in which a group entered the safe state
  std::int64_t page_faults = 0;                        ///< of the paced thread while it ran
  std::int64_t involuntary_switches = 0;               ///< of the paced thread while it ran
  std::array<std::int64_t, kLateCauses> late_ticks{};  ///< of a paced thread, by LateCause
  LateTick worst_late;                                 ///< the tick that lost the most time
  double max_contraction = 0;                          ///< of the Newton increments of a step, see StepReport
  std::int64_t max_contraction_tick = 0;               ///< the tick with it
  std::int32_t max_factorizations = 0;                 ///< of a step
  std::int64_t not_converged = 0;                      ///< ticks whose last increment exceeded the monitor's limit
};

/// Report of one tick.
struct TickRecord {
  std::int64_t tick = 0;
  std::int64_t input_ns = 0, solve_ns = 0, publish_ns = 0;
  std::int64_t arrival_ns = 0;      ///< when the input came
  std::int64_t turnaround_ns = -1;  ///< below 0: no client input was used
  bool input_held = false;
  std::uint64_t inputs_used = 0, inputs_superseded = 0, inputs_late = 0, inputs_left_aside = 0;
  int input_losses = 0;  ///< controllers that were lost in this tick
  bool safe_entry = false;
  double contraction = 0;  ///< as in StepReport, like the next two
  std::int32_t factorizations = 0;
  bool converged = true;
};

/// The tick thread records, any thread reads or asks for a reset.
///
/// There are two banks of relaxed atomics. The tick thread writes one of them with plain loads and stores, and readers
/// copy it. Each counter is exact; a copy taken during a tick has that tick in some counters only. A reset clears the
/// other bank and asks the tick thread to change banks at the start of its next tick: the reset costs the tick one
/// exchange, and no tick is counted in both banks.
class TickStats {
 public:
  TickStats();

  // ---- the tick thread; @rt O(1), no allocation, no lock, no system call except where said ----

  /// Start of a tick: applies a requested reset. While no tick runs, another thread may do so.
  void beginTick() noexcept;
  void recordTick(const TickRecord& record) noexcept;
  void recordWake(std::int64_t lateness_ns, std::int64_t tick) noexcept;
  void countOverrun() noexcept;

  /// Adds the counts of a grid point. Its lateness is recorded by recordWake(), because only a tick that starts has
  /// one.
  void countGrid(const GridPoint& point, std::int64_t consecutive_overdue) noexcept;

  void countLate(const LateTick& late) noexcept;

  /// Adds the page faults and the involuntary switches of the tick thread.
  void addUsage(const ThreadUsage& spent) noexcept;

  // ---- any thread; these may wait for each other, never for the tick ----

  TickStatsReport report() const;

  /// All counts begin at zero with the next tick.
  void requestReset();

 private:
  struct Bank {
    std::array<LatencyHistogram, kPhases> phases;
    std::atomic<std::int64_t> ticks{0}, missed_deadlines{0}, overruns{0};
    std::atomic<std::int64_t> late_wakes{0}, overdue_deadlines{0}, max_consecutive_overdue{0}, backfilled{0},
        slipped_ns{0};
    std::atomic<std::uint64_t> inputs_used{0}, inputs_superseded{0}, inputs_late{0}, held_ticks{0};
    std::atomic<std::uint64_t> inputs_left_aside{0}, input_losses{0}, safe_entries{0};
    std::atomic<std::int64_t> page_faults{0}, involuntary_switches{0};
    std::array<std::atomic<std::int64_t>, kLateCauses> late_ticks{};
    std::atomic<double> max_contraction{0};
    std::atomic<std::int64_t> max_contraction_tick{0}, max_factorizations{0}, not_converged{0};

    // The worst late tick, written as a whole: odd while it is being written.
    std::atomic<std::uint32_t> worst_version{0};
    std::atomic<std::int64_t> worst_tick{0}, worst_lost_ns{0};
    std::atomic<bool> worst_at_work{false};
    std::atomic<LateCause> worst_cause{LateCause::kHostStall};

    LatencyHistogram& phase(Phase phase) noexcept { return phases[static_cast<std::size_t>(phase)]; }
    void clear() noexcept;
    LateTick worstLate() const noexcept;
    void setWorstLate(const LateTick& late) noexcept;
  };

  Bank& active() noexcept { return banks_[active_.load(std::memory_order_relaxed)]; }

  std::unique_ptr<Bank[]> banks_;
  std::atomic<std::size_t> active_{0};  ///< written by the tick thread
  std::atomic<bool> reset_requested_{false};
  mutable std::mutex readers_;  ///< between report() and requestReset(); never taken by the tick
};

}  // namespace tactus::rt
