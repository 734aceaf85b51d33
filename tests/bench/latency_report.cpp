#include "tests/bench/latency_report.h"

#include "rt/error.h"

#include <sys/utsname.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iomanip>
#include <ostream>
#include <sstream>
#include <thread>

namespace tactus::bench {
namespace {

double inMicroseconds(std::int64_t ns) {
  return static_cast<double>(ns) * 1e-3;
}

// The value of the first line "key : value" of a file under /proc.
std::string procValue(const char* path, const std::string& key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(key))
      if (const auto colon = line.find(": "); colon != std::string::npos) return line.substr(colon + 2);
  return "unknown";
}

}  // namespace

Percentiles percentilesOf(std::vector<std::int64_t> samples) {
  Percentiles result;
  result.count = samples.size();
  if (samples.empty()) return result;
  std::sort(samples.begin(), samples.end());

  const auto rank = [&](double fraction) {
    const auto position = static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(samples.size())));
    return samples[std::clamp<std::size_t>(position, 1, samples.size()) - 1];
  };
  result.minimum = samples.front();
  result.p50 = rank(0.5);
  result.p90 = rank(0.9);
  result.p99 = rank(0.99);
  result.p999 = rank(0.999);
  result.maximum = samples.back();
  return result;
}

void printTable(std::ostream& out, const std::vector<LatencySeries>& series) {
  std::size_t width = 6;
  for (const LatencySeries& s : series) width = std::max(width, s.name.size());

  out << std::left << std::setw(static_cast<int>(width)) << "series" << std::right << std::setw(9) << "count";
  for (const char* column : {"min", "p50", "p90", "p99", "p99.9", "max"}) out << std::setw(10) << column;
  out << std::setw(9) << "ratio"
      << "     (µs; ratio of p50 to the last line with 1.00*)\n";

  std::int64_t base = 0;  // 0: no base yet, no ratio
  for (const LatencySeries& s : series) {
    const Percentiles p = percentilesOf(s.samples);
    if (s.base) base = p.p50;
    out << std::left << std::setw(static_cast<int>(width)) << s.name << std::right << std::setw(9) << p.count;
    out << std::fixed << std::setprecision(1);
    for (const std::int64_t value : {p.minimum, p.p50, p.p90, p.p99, p.p999, p.maximum})
      out << std::setw(10) << inMicroseconds(value);
    if (base > 0)
      out << std::setprecision(2) << std::setw(9) << static_cast<double>(p.p50) / static_cast<double>(base)
          << (s.base ? "*" : "");
    out << '\n';
  }
}

void writeCsv(const std::string& path, const std::vector<LatencySeries>& series) {
  std::ofstream file(path);
  file << "series,count,min_us,p50_us,p90_us,p99_us,p99.9_us,max_us\n" << std::setprecision(17);
  for (const LatencySeries& s : series) {
    const Percentiles p = percentilesOf(s.samples);
    file << std::quoted(s.name, '"', '"') << ',' << p.count;  // names have commas
    for (const std::int64_t value : {p.minimum, p.p50, p.p90, p.p99, p.p999, p.maximum})
      file << ',' << inMicroseconds(value);
    file << '\n';
  }
  file.flush();
  if (!file) throw Error("cannot write " + path);
}

void printEnvironment(std::ostream& out) {
  utsname system{};
  uname(&system);
  std::ifstream load_file("/proc/loadavg");
  std::string load;
  load_file >> load;
  out << "machine:  " << procValue("/proc/cpuinfo", "model name") << ", " << std::thread::hardware_concurrency()
      << " cores, load " << load << '\n';
  out << "kernel:   " << system.sysname << ' ' << system.release << ' ' << system.version << '\n';
  out << "compiler: " << TACTUS_BENCH_COMPILER << '\n';
  out << "flags:    " << TACTUS_BENCH_FLAGS << '\n';
}

std::int64_t stolenTicks() {
  // The first line of /proc/stat: cpu user nice system idle iowait irq softirq steal ...
  std::ifstream file("/proc/stat");
  std::string line, label;
  std::getline(file, line);
  std::istringstream fields(line);
  fields >> label;
  std::int64_t value = 0;
  for (int column = 0; column < 8; ++column) fields >> value;
  return fields ? value : 0;
}

}  // namespace tactus::bench
