// The self-test of a host: a clock paces an empty tick, and the missed deadlines are counted.
#pragma once

#include "rt/loop/late_tick.h"
#include "rt/loop/latency_histogram.h"
#include "rt/loop/realtime_thread.h"
#include "server/doctor/host_check.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tactus::server {

struct SelfTestRequest {
  std::int64_t period_ns = 1'000'000;
  std::int64_t duration_ns = 10'000'000'000;
  rt::ThreadRequest thread;  ///< class and cores, as for the tick thread
};

struct SelfTestResult {
  std::vector<rt::Grant> grants;
  std::int64_t spin_margin_ns = 0;
  std::int64_t ticks = 0, missed = 0;                ///< deadlines at which a tick started, and at which none did
  rt::LatencySummary wake;                           ///< lateness of the starts
  rt::LatencySummary sleep;                          ///< lateness of a parallel thread that sleeps without spinning
  std::array<std::int64_t, rt::kLateCauses> late{};  ///< ticks late by more than a tenth of the period, by cause
  Grade grade = Grade::kGood;
  std::string verdict;  ///< one sentence
};

/// Runs in its own thread; returns after about the duration.
/// @throws Error for a period that a clock refuses
SelfTestResult testHost(const SelfTestRequest& request);

/// Sets the grade and the verdict: good if no deadline was missed and every request was granted, fair up to one missed
/// deadline in a thousand, poor beyond.
void grade(SelfTestResult& result);

}  // namespace tactus::server
