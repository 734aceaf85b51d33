#include "proto/text/timing_change.h"

#include <fmt/format.h>

#include <cstdint>

namespace tactus::text {
namespace {

template <class Count>
Count since(Count before, Count now) {
  return now < before ? now : now - before;
}

std::uint64_t missedByReaders(const v1::TimingReport& report) {
  std::uint64_t missed = 0;
  for (const v1::ReaderReport& reader : report.readers()) missed += reader.missed();
  return missed;
}

}  // namespace

std::string timingChange(const v1::TimingReport& before, const v1::TimingReport& now, double seconds) {
  const double ticks = static_cast<double>(since(before.ticks(), now.ticks()));
  const double inputs = static_cast<double>(since(before.inputs_used(), now.inputs_used()));
  return fmt::format(
      "in the last {:.1f} s: {:.1f} ticks/s ({:.3f} of real time), {:.1f} inputs/s, missed deadlines {}, overruns {}, "
      "inputs ignored in the safe state {}, frames missed by readers {}\n",
      seconds, ticks / seconds, ticks * 1e-9 * static_cast<double>(now.period_ns()) / seconds, inputs / seconds,
      since(before.missed_deadlines(), now.missed_deadlines()), since(before.overruns(), now.overruns()),
      since(before.inputs_left_aside(), now.inputs_left_aside()), since(missedByReaders(before), missedByReaders(now)));
}

}  // namespace tactus::text
