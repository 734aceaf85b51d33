#include "rt/loop/tick_clock.h"

#include "rt/error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace tactus::rt {

namespace {

__extension__ using Wide = unsigned __int128;

constexpr int kFraction = 20;                            // bits of a wall-clock period behind the nanosecond
constexpr double kMinPeriod = 1e3, kMaxPeriod = 3.6e12;  // ns

// Self-test and its bounds, ns. Below the lower one a sleep cannot return in time on any kernel that we know; above
// the upper one spinning costs more than a late wake-up.
constexpr int kWakeUps = 50;
constexpr std::int64_t kWakeInterval = 1'000'000;
constexpr std::int64_t kMinMargin = 20'000, kMaxMargin = 300'000;
constexpr std::int64_t kMarginShare = 30;  // per cent of the period, so that the thread sleeps in every tick

// The longest sleep in one piece, ns: how long a stop may go unnoticed.
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

const char* toString(ClockMode mode) noexcept {
  switch (mode) {
    case ClockMode::kRealTime: return "real-time";
    case ClockMode::kScaled: return "scaled";
    case ClockMode::kFreeRun: return "free-run";
  }
  return "unknown";
}

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
  last_point_ = 0;
}

GridPoint TickClock::waitNext(const std::atomic<bool>& stop) noexcept {
  GridPoint point;
  point.index = last_point_ + 1;
  point.now_ns = time_.now();

  // A point that is already past is missed: stay in phase and take the next one that lies ahead.
  if (paced() && point.now_ns > deadline(point.index)) {
    const std::int64_t passed = elapsedPoints(point.now_ns);
    point.missed = passed - last_point_;
    point.index = passed + 1;
    last_point_ = passed;
  }

  if (paced()) point.now_ns = sleepAndSpin(deadline(point.index), stop);
  point.stopped = stop.load(std::memory_order_acquire) || (paced() && point.now_ns < deadline(point.index));
  if (point.stopped) return point;

  // Points that passed during the sleep: the last one is taken late, the others are missed.
  if (paced()) {
    const std::int64_t reached = elapsedPoints(point.now_ns);
    point.missed += reached - point.index;
    point.index = reached;
    point.lateness_ns = point.now_ns - deadline(reached);
  }
  last_point_ = point.index;
  return point;
}

std::int64_t TickClock::sleepAndSpin(std::int64_t deadline_ns, const std::atomic<bool>& stop) const noexcept {
  // Long periods are slept in slices, so that a stop is noticed.
  std::int64_t now = time_.now();
  while (now < deadline_ns - margin_ns_ && !stop.load(std::memory_order_relaxed)) {
    time_.sleepUntil(std::min(deadline_ns - margin_ns_, now + kSlice));
    now = time_.now();
  }

  // What is left is the margin at most.
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
