// The latencies of one phase of a tick, out of a report.
#pragma once

#include "rt/loop/tick_stats.h"

namespace tactus::tests {

inline rt::LatencySummary phaseOf(const rt::TickStatsReport& report, rt::Phase phase) {
  return report.phases[static_cast<std::size_t>(phase)];
}

}  // namespace tactus::tests
