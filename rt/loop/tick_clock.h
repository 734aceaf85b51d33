// TickClock: when the ticks of a run start. A fixed grid on a monotonic time source; deadlines are multiplied, never
// summed. In lockstep there is no TickClock: the caller of TickLoop::tick() is the clock.
#pragma once

#include "rt/loop/overrun.h"
#include "rt/loop/time_source.h"
#include "rt/word.h"

#include <atomic>
#include <cstdint>

namespace tactus::rt {

enum class ClockMode : std::uint8_t {
  kRealTime,  ///< one tick every period
  kScaled,    ///< one tick every period / scale
  kFreeRun,   ///< ticks follow each other at once
};
inline constexpr Word<ClockMode> kClockModes[] = {
    {ClockMode::kRealTime, "real-time"}, {ClockMode::kScaled, "scaled"}, {ClockMode::kFreeRun, "free-run"}};
constexpr const char* toString(ClockMode mode) noexcept {
  return wordOf(kClockModes, mode);
}

struct ClockOptions {
  ClockMode mode = ClockMode::kRealTime;
  double scale = 1;             ///< of kScaled: simulated seconds per second
  std::int64_t margin_ns = -1;  ///< spin this long before each deadline, at most 30 % of the period; -1: self-test
  OverrunRule overrun = {};
};

/// A grid point at which a tick starts, and what has happened since the previous point.
struct GridPoint {
  std::int64_t index = 0;      ///< from 1; counts the grid points since start()
  std::int64_t due_index = 0;  ///< index of the last point that is due now; above `index` while ticks are backfilled
  std::int64_t missed = 0;     ///< grid points just before this one at which no tick starts
  std::int64_t overdue_at_work = 0;  ///< deadlines that passed while the tick before ran
  std::int64_t overdue_asleep = 0;   ///< deadlines that passed while the thread slept
  std::int64_t slipped_ns = 0;       ///< time by which the grid has moved
  std::int64_t overslept_ns = 0;  ///< how late the thread woke for the point that it slept for; 0 if it did not sleep
  std::int64_t lateness_ns = 0;   ///< now minus the deadline, before the grid moved; never below 0
  std::int64_t now_ns = 0;
  bool safe = false;        ///< the overrun rule demands the safe state from this tick on
  bool backfilled = false;  ///< the tick starts late, because of catch-up
  bool stopped = false;     ///< a stop was requested: no tick starts, and the point remains available
  bool ended = false;       ///< the overrun rule ends the run: no tick starts, and all points up to now are missed

  bool late() const noexcept { return overdue_at_work + overdue_asleep > 0 || backfilled; }
};

/// Paces one thread. Grid point k = 1, 2, ... is due at origin + k * period / scale.
///
/// The OverrunRule decides what happens at overdue deadlines. At every return of waitNext() at which a tick starts
///
///     points taken + points missed = index,   index + ticks still to be backfilled = due_index = elapsedPoints(now),
///
/// exactly; only catch-up backfills ticks. No tick ever starts before its deadline. After a burst of backfilled ticks
/// the thread sleeps before it may begin another burst, so that it never occupies its core permanently.
class TickClock {
 public:
  /// @throws Error if the period or the scale is not positive and finite, period / scale is not 1 us to 1 h, or the
  ///         overrun rule makes no sense
  TickClock(std::int64_t period_ns, const ClockOptions& options, const TimeSource& time = monotonicTime());

  /// Measures how late this thread wakes from sleep and takes the margin from it. About 50 ms of sleep, in the class
  /// in which the thread will run. Does nothing in free run or if the margin is given.
  void calibrate() noexcept;

  /// Sets the origin of the grid to now. Calls calibrate() first if that has not been done. Set-up: before the first
  /// tick.
  void start() noexcept;

  /// Waits for the next grid point: sleeps until the margin before it, then spins.
  /// @rt no allocation, no lock; sleeps
  GridPoint waitNext(const std::atomic<bool>& stop) noexcept;

  /// When grid point `index` is due. Not of free run.
  std::int64_t deadline(std::int64_t index) const noexcept;

  /// Grid points due at or before `now_ns` since start(), the origin not counted. In free run: points taken.
  std::int64_t elapsedPoints(std::int64_t now_ns) const noexcept;

  /// True if a tick that started at `point` and ended at `now_ns` ended after the deadline of the next grid point.
  bool overran(const GridPoint& point, std::int64_t now_ns) const noexcept {
    return paced() && now_ns > deadline(point.due_index + 1);
  }

  /// Overdue deadlines since the last tick in time, and since start(), without those of the grace ticks.
  std::int64_t consecutiveOverdue() const noexcept { return consecutive_; }
  std::int64_t totalOverdue() const noexcept { return total_; }

  std::int64_t now() const noexcept { return time_.now(); }
  ClockMode mode() const noexcept { return options_.mode; }
  double scale() const noexcept { return options_.scale; }
  const OverrunRule& overrunRule() const noexcept { return options_.overrun; }
  std::int64_t marginNs() const noexcept { return margin_ns_; }
  std::int64_t wallPeriodNs() const noexcept;

 private:
  bool paced() const noexcept { return options_.mode != ClockMode::kFreeRun; }
  void setMargin(std::int64_t margin_ns) noexcept;
  std::int64_t sleepAndSpin(std::int64_t deadline_ns, const std::atomic<bool>& stop) const noexcept;
  bool startLate(GridPoint& point, const std::atomic<bool>& stop) noexcept;
  void wakeLate(GridPoint& point, std::int64_t reached) noexcept;
  bool tolerates(GridPoint& point, std::int64_t overdue) noexcept;
  void missUntil(GridPoint& point, std::int64_t index) noexcept;
  void slip(GridPoint& point) noexcept;
  void endRun(GridPoint& point, std::int64_t reached) noexcept;
  void take(GridPoint& point) noexcept;

  ClockOptions options_;
  TimeSource time_;
  std::uint64_t period_q20_;  ///< wall-clock period in 2^-20 ns
  std::int64_t margin_ns_ = 0;
  bool calibrated_ = false;
  std::int64_t origin_ns_ = 0;
  std::int64_t last_point_ = 0;               ///< last point that was taken or missed
  std::int64_t seen_ = 0;                     ///< last point that is known to be in time or overdue
  std::int64_t taken_ = 0;                    ///< ticks since start()
  std::int64_t burst_ = 0;                    ///< consecutive backfilled ticks
  std::int64_t consecutive_ = 0, total_ = 0;  ///< overdue deadlines
};

}  // namespace tactus::rt
