// TickClock: when the ticks of a run start. A fixed grid on a monotonic time source; deadlines are multiplied, never
// summed. Lockstep has no clock: there the caller of TickLoop::tick() is the clock.
#pragma once

#include "rt/loop/time_source.h"

#include <atomic>
#include <cstdint>

namespace tactus::rt {

enum class ClockMode : std::uint8_t {
  kRealTime,  ///< one tick every period
  kScaled,    ///< one tick every period / scale
  kFreeRun,   ///< ticks follow each other at once
};
const char* toString(ClockMode mode) noexcept;

struct ClockOptions {
  ClockMode mode = ClockMode::kRealTime;
  double scale = 1;             ///< of kScaled: simulated seconds per second
  std::int64_t margin_ns = -1;  ///< spin this long before each deadline, at most 30 % of the period; -1: self-test
};

/// A grid point at which a tick is to start.
struct GridPoint {
  std::int64_t index = 0;        ///< from 1; counts the grid points since start()
  std::int64_t missed = 0;       ///< grid points just before this one at which no tick started
  std::int64_t lateness_ns = 0;  ///< now minus the deadline; never below 0
  std::int64_t now_ns = 0;
  bool stopped = false;  ///< asked to stop: no tick starts, and this point is not used up
};

/// Paces one thread. Grid point k = 1, 2, ... is due at origin + k * period / scale.
///
/// Missed grid points (policy SKIP): a point that is past when the loop comes to wait for it is missed, and the tick
/// starts on the next one that lies ahead, in phase. If points pass while the thread sleeps, the last of them is
/// taken late and those before it are missed. No burst follows. So, at every return of waitNext() that does not
/// stop, points taken + points missed = index = elapsedPoints(now), exactly; no tick ever starts before its deadline.
class TickClock {
 public:
  /// @throws Error if the period or the scale is not positive and finite, or period / scale is not 1 us to 1 h
  TickClock(std::int64_t period_ns, const ClockOptions& options, const TimeSource& time = monotonicTime());

  /// Measures how late this thread wakes from sleep and takes the margin from it. About 50 ms of sleep, in the class
  /// in which the thread will run. Does nothing in free run or if the margin is given.
  void calibrate() noexcept;

  /// Puts the origin of the grid to now; calibrates first if that has not been done. Set-up: before the first tick.
  void start() noexcept;

  /// Waits for the next grid point: sleeps until the margin before it, then spins.
  /// @rt no allocation, no lock; sleeps
  GridPoint waitNext(const std::atomic<bool>& stop) noexcept;

  /// When grid point `index` is due. Not of free run.
  std::int64_t deadline(std::int64_t index) const noexcept;

  /// Grid points due at or before `now_ns` since start(), the origin not counted. In free run: points taken.
  std::int64_t elapsedPoints(std::int64_t now_ns) const noexcept;

  /// True if a tick that started on `point` and ended at `now_ns` has run into the next grid point.
  bool overran(const GridPoint& point, std::int64_t now_ns) const noexcept {
    return paced() && now_ns > deadline(point.index + 1);
  }

  std::int64_t now() const noexcept { return time_.now(); }
  ClockMode mode() const noexcept { return options_.mode; }
  double scale() const noexcept { return options_.scale; }
  std::int64_t marginNs() const noexcept { return margin_ns_; }
  std::int64_t wallPeriodNs() const noexcept;

 private:
  bool paced() const noexcept { return options_.mode != ClockMode::kFreeRun; }
  void setMargin(std::int64_t margin_ns) noexcept;
  std::int64_t sleepAndSpin(std::int64_t deadline_ns, const std::atomic<bool>& stop) const noexcept;

  ClockOptions options_;
  TimeSource time_;
  std::uint64_t period_q20_;  ///< wall-clock period in 2^-20 ns
  std::int64_t margin_ns_ = 0;
  bool calibrated_ = false;
  std::int64_t origin_ns_ = 0;
  std::int64_t last_point_ = 0;
};

}  // namespace tactus::rt
