// The self-test of a host: a clock that paces an empty tick, and what came of its deadlines.
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
  std::int64_t ticks = 0, missed = 0;                ///< grid points at which one started, and did not
  rt::LatencySummary wake;                           ///< lateness of the starts
  rt::LatencySummary sleep;                          ///< lateness of a thread beside it that sleeps without spinning
  std::array<std::int64_t, rt::kLateCauses> late{};  ///< ticks late by more than a tenth of the period, by cause
  Grade grade = Grade::kGood;
  std::string verdict;  ///< in words
};

/// Runs in a thread of its own; returns after about the duration.
/// @throws Error for a period that a clock refuses
SelfTestResult testHost(const SelfTestRequest& request);

/// The grade by counts: good if no grid point was missed and all that was asked for was granted, fair up to one miss in
/// a thousand, poor beyond.
void judge(SelfTestResult& result);

}  // namespace tactus::server
