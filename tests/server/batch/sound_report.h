// Reports of a qualification, made by hand.
#pragma once

#include "server/batch/qualification.h"

namespace tactus::tests {

using server::QualificationOptions;
using server::QualificationReport;

/// A report in which everything is well: 1000 ticks of at most 0.2 ms at 1 ms, with a trusted accuracy.
inline QualificationReport soundReport() {
  QualificationReport report;
  report.period_ns = 1'000'000;
  report.ticks = report.stats.ticks = 1000;
  rt::LatencySummary& total = report.stats.phases[static_cast<std::size_t>(rt::Phase::kTotal)];
  total.p999 = 150'000;
  total.maximum = 200'000;
  report.reruns = {{"again", 0}};
  report.grants = {{"SCHED_FIFO 80", true, ""}};
  report.accuracy.emplace().trusted = true;
  return report;
}

inline QualificationReport judged(QualificationReport report) {
  QualificationOptions options;
  options.ticks = 1000;
  options.thread.priority = 80;
  judge(options, report);
  return report;
}

inline rt::LatencySummary& totalOf(QualificationReport& report) {
  return report.stats.phases[static_cast<std::size_t>(rt::Phase::kTotal)];
}

}  // namespace tactus::tests
