// Percentiles of durations as a table and as CSV.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace tactus::bench {

/// All durations measured under one name, ns.
struct LatencySeries {
  std::string name;
  std::vector<std::int64_t> samples;
  bool base = false;  ///< the ratios of the series that follow refer to this one
};

struct Percentiles {
  std::size_t count = 0;
  std::int64_t minimum = 0, p50 = 0, p90 = 0, p99 = 0, p999 = 0, maximum = 0;
};

/// Nearest-rank percentiles: each one is a measured duration. All zero for no samples.
Percentiles percentilesOf(std::vector<std::int64_t> samples);

/// One line per series, in µs, with the ratio of each p50 to that of the nearest base above it.
void printTable(std::ostream& out, const std::vector<LatencySeries>& series);

/// Header `series,count,min_us,p50_us,p90_us,p99_us,p99.9_us,max_us`, one line per series.
/// @throws Error if the file cannot be written
void writeCsv(const std::string& path, const std::vector<LatencySeries>& series);

/// Machine, kernel, cores, load, compiler and flags, without which a figure has no meaning.
void printEnvironment(std::ostream& out);

/// CPU time that the host took from this guest since boot, in ticks of 10 ms; 0 if the host does not report it.
std::int64_t stolenTicks();

}  // namespace tactus::bench
