#include "rt/loop/tick_clock.h"

#include "rt/error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace tactus::rt {

namespace {

__extension__ using Wide = unsigned __int128;

constexpr int kFraction = 20;                            // fractional bits of a wall-clock period in ns
constexpr double kMinPeriod = 1e3, kMaxPeriod = 3.6e12;  // ns

// Self-test and its bounds, ns. No known kernel returns from a sleep in time with less than the lower bound; above the
// upper bound spinning costs more than a late wake-up.
constexpr int kWakeUps = 50;
constexpr std::int64_t kWakeInterval = 1'000'000;
constexpr std::int64_t kMinMargin = 20'000, kMaxMargin = 300'000;
constexpr std::int64_t kMarginShare = 30;  // per cent of the period, so that the thread sleeps in every tick

// The longest uninterrupted sleep, ns: it bounds the reaction time to a stop.
constexpr std::int64_t kSlice = 100'000'000;

void relax() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

double wallPeriod(std::int64_t period_ns, const ClockOptions& options) {
  if (options.mode != ClockMode::kScaled) return static_cast<double>(period_ns);
  if (!std::isfinite(options.scale) || options.scale <= 0) {
    throw Error("clock scale = " + std::to_string(options.scale) + ": must be positive and finite");
  }
  return static_cast<double>(period_ns) / options.scale;
}

}  // namespace

TickClock::TickClock(std::int64_t period_ns, const ClockOptions& options, const TimeSource& time)
    : options_(options), time_(time) {
  const double wall = wallPeriod(period_ns, options);
  if (period_ns <= 0 || (paced() && !(wall >= kMinPeriod && wall <= kMaxPeriod))) {
    throw Error("clock period = " + std::to_string(wall) + " ns of wall time: must be 1 us to 1 h");
  }
  // A whole number of nanoseconds is exact; a scaled period is rounded once, to 2^-20 ns.
  period_q20_ = options.mode == ClockMode::kScaled
                    ? static_cast<std::uint64_t>(std::llround(std::ldexp(wall, kFraction)))
                    : static_cast<std::uint64_t>(period_ns) << kFraction;
  checkOverrunRule(options.overrun);
  if (options.margin_ns >= 0) setMargin(options.margin_ns);
}

void TickClock::setMargin(std::int64_t margin_ns) noexcept {
  margin_ns_ = std::min(margin_ns, wallPeriodNs() * kMarginShare / 100);
  calibrated_ = true;
}

void TickClock::calibrate() noexcept {
  if (!paced() || options_.margin_ns >= 0) return;

  // Wake-ups at a steady rate, as in a run, but no slower than the run's own.
  const std::int64_t interval = std::min(kWakeInterval, wallPeriodNs());
  const std::int64_t origin = time_.now();
  std::array<std::int64_t, kWakeUps> lateness;
  for (int i = 0; i < kWakeUps; ++i) {
    const std::int64_t due = std::max(origin + (i + 1) * interval, time_.now() + interval / 2);
    time_.sleepUntil(due);
    lateness[static_cast<std::size_t>(i)] = time_.now() - due;
  }

  // The 99th percentile; of 50 wake-ups that is the latest.
  const std::int64_t p99 = *std::max_element(lateness.begin(), lateness.end());
  setMargin(std::clamp(p99, kMinMargin, kMaxMargin));
}

void TickClock::start() noexcept {
  if (!calibrated_) calibrate();
  origin_ns_ = time_.now();
  last_point_ = seen_ = taken_ = burst_ = consecutive_ = total_ = 0;
}

GridPoint TickClock::waitNext(const std::atomic<bool>& stop) noexcept {
  GridPoint point;
  point.index = last_point_ + 1;
  point.now_ns = time_.now();
  if (!paced()) {
    point.stopped = stop.load(std::memory_order_acquire);
    if (!point.stopped) take(point);
    return point;
  }

  // The tick before has run past the next deadline.
  if (point.now_ns > deadline(point.index) && startLate(point, stop)) return point;

  point.now_ns = sleepAndSpin(deadline(point.index), stop);
  point.stopped = stop.load(std::memory_order_acquire) || point.now_ns < deadline(point.index);
  if (point.stopped) return point;

  // Deadlines that became overdue during the sleep.
  point.overslept_ns = point.now_ns - deadline(point.index);
  const std::int64_t reached = elapsedPoints(point.now_ns);
  burst_ = 0;
  point.lateness_ns = point.now_ns - deadline(reached);
  if (reached > point.index) {
    wakeLate(point, reached);
  } else if (point.overdue_at_work == 0) {
    consecutive_ = 0;
  }
  if (!point.ended) take(point);
  return point;
}

// The next deadline is overdue. Returns true if the thread must not sleep: a tick starts late, or none at all.
bool TickClock::startLate(GridPoint& point, const std::atomic<bool>& stop) noexcept {
  const std::int64_t reached = elapsedPoints(point.now_ns);
  point.overdue_at_work = reached - std::max(seen_, last_point_);
  seen_ = reached;
  const bool tolerated = tolerates(point, point.overdue_at_work);
  point.stopped = stop.load(std::memory_order_acquire);
  if (point.stopped || !tolerated) {
    endRun(point, reached);
    return true;
  }

  const OverrunRule& rule = options_.overrun;
  if (rule.policy == OverrunPolicy::kSlip) {
    slip(point);
    take(point);
    return true;
  }
  if (rule.policy == OverrunPolicy::kCatchUp && burst_ < rule.burst) {
    // The newest points are backfilled, as many as the burst still allows; older ones are missed.
    missUntil(point, std::max(point.index, reached + 1 - (rule.burst - burst_)));
    point.lateness_ns = point.now_ns - deadline(point.index);
    point.backfilled = true;
    ++burst_;
    take(point);
    return true;
  }
  // Stay in phase and take the next point that lies ahead.
  missUntil(point, reached + 1);
  return false;
}

// The thread slept past point.index, up to the point `reached`.
void TickClock::wakeLate(GridPoint& point, std::int64_t reached) noexcept {
  point.overdue_asleep = reached - point.index;
  seen_ = reached;
  if (!tolerates(point, point.overdue_asleep)) {
    endRun(point, reached);
    return;
  }
  switch (options_.overrun.policy) {
    case OverrunPolicy::kSlip: slip(point); return;
    case OverrunPolicy::kCatchUp:
      missUntil(point, std::max(point.index, reached + 1 - options_.overrun.burst));
      point.lateness_ns = point.now_ns - deadline(point.index);
      point.backfilled = point.index < reached;
      burst_ = point.backfilled ? 1 : 0;
      if (point.backfilled) seen_ = reached - 1;  // the backfilled ticks come before that of `reached`
      return;
    case OverrunPolicy::kStop:  // in its grace
    case OverrunPolicy::kSkip:
    case OverrunPolicy::kSafe: missUntil(point, reached); return;
  }
}

// Counts overdue deadlines. Returns false if the rule ends the run because of them.
bool TickClock::tolerates(GridPoint& point, std::int64_t overdue) noexcept {
  const OverrunRule& rule = options_.overrun;
  if (overdue == 0 || (rule.grace_ticks > 0 && taken_ <= rule.grace_ticks)) return true;
  consecutive_ += overdue;
  total_ += overdue;
  const bool beyond_limit = (rule.max_consecutive > 0 && consecutive_ > rule.max_consecutive) ||
                            (rule.max_total > 0 && total_ > rule.max_total);
  if (rule.policy == OverrunPolicy::kSafe) {
    const bool limited = rule.max_consecutive > 0 || rule.max_total > 0;
    point.safe = point.safe || beyond_limit || !limited;
    return true;
  }
  return rule.policy != OverrunPolicy::kStop && !beyond_limit;
}

// Misses the points before `index`, which becomes the one to take.
void TickClock::missUntil(GridPoint& point, std::int64_t index) noexcept {
  point.missed += index - point.index;
  point.index = index;
  last_point_ = index - 1;
}

// Moves the grid so that the point is due now.
void TickClock::slip(GridPoint& point) noexcept {
  point.slipped_ns = point.lateness_ns = point.now_ns - deadline(point.index);
  origin_ns_ += point.slipped_ns;
  seen_ = point.index;
}

// No tick starts, and the points up to now are missed.
void TickClock::endRun(GridPoint& point, std::int64_t reached) noexcept {
  missUntil(point, reached + 1);
  point.ended = !point.stopped;
}

void TickClock::take(GridPoint& point) noexcept {
  last_point_ = point.index;
  seen_ = std::max(seen_, point.index);
  point.due_index = paced() ? elapsedPoints(point.now_ns) : point.index;
  ++taken_;
}

std::int64_t TickClock::sleepAndSpin(std::int64_t deadline_ns, const std::atomic<bool>& stop) const noexcept {
  // Long periods are slept in slices, so that a stop takes effect.
  std::int64_t now = time_.now();
  while (now < deadline_ns - margin_ns_ && !stop.load(std::memory_order_relaxed)) {
    time_.sleepUntil(std::min(deadline_ns - margin_ns_, now + kSlice));
    now = time_.now();
  }

  // At most the margin is left.
  while (now < deadline_ns && !stop.load(std::memory_order_relaxed)) {
    relax();
    now = time_.now();
  }
  return now;
}

std::int64_t TickClock::deadline(std::int64_t index) const noexcept {
  return origin_ns_ + static_cast<std::int64_t>((static_cast<Wide>(index) * period_q20_) >> kFraction);
}

std::int64_t TickClock::elapsedPoints(std::int64_t now_ns) const noexcept {
  if (!paced()) return last_point_;
  if (now_ns < origin_ns_) return 0;
  // The largest k with floor(k * period) <= now - origin.
  const Wide end = (static_cast<Wide>(now_ns - origin_ns_) + 1) << kFraction;
  return static_cast<std::int64_t>((end - 1) / period_q20_);
}

std::int64_t TickClock::wallPeriodNs() const noexcept {
  return static_cast<std::int64_t>(period_q20_ >> kFraction);
}

}  // namespace tactus::rt
