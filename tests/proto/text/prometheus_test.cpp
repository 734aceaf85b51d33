#include "proto/text/prometheus.h"

#include <catch2/catch.hpp>

#include <map>
#include <sstream>
#include <string>

using tactus::text::prometheusText;
using tactus::v1::TimingReport;

namespace {

TimingReport sampleReport() {
  TimingReport report;
  report.set_period_ns(1'000'000);
  report.set_ticks(12);
  report.set_slipped_ns(2'500'000);
  auto* late = report.add_late_ticks();
  late->set_cause("host stall");
  late->set_count(3);
  auto* phase = report.add_phases();
  phase->set_phase("solve");
  phase->set_count(6);
  phase->set_mean_ns(2.5);
  for (const unsigned count : {1u, 0u, 2u, 3u}) phase->add_octaves(count);
  auto* reader = report.add_readers();
  reader->set_id(4);
  reader->set_stream("observe");
  reader->set_sent(90);
  reader->set_missed(10);
  return report;
}

}  // namespace

TEST_CASE("every sample belongs to a declared family and names its session", "[clients][cli]") {
  std::istringstream lines(prometheusText("main", sampleReport()));
  std::map<std::string, std::string> types;
  int samples = 0;
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    std::istringstream words(line);
    std::string hash, kind, name, type;
    if (line[0] == '#') {
      words >> hash >> kind >> name >> type;
      if (kind == "TYPE") types[name] = type;
      continue;
    }
    ++samples;
    std::string family = line.substr(0, line.find('{'));
    for (const std::string suffix : {"_bucket", "_sum", "_count"}) {
      const bool longer = family.size() > suffix.size();
      if (longer && family.compare(family.size() - suffix.size(), suffix.size(), suffix) == 0)
        family.resize(family.size() - suffix.size());
    }
    CHECK(types.count(family) == 1);
    CHECK(line.find("{session=\"main\"") != std::string::npos);
    CHECK_NOTHROW(std::stod(line.substr(line.rfind(' '))));
  }
  CHECK(samples > 20);
  CHECK(types["tactus_ticks_total"] == "counter");
  CHECK(types["tactus_phase_seconds"] == "histogram");
}

TEST_CASE("buckets are cumulative, and times are in seconds", "[clients][cli]") {
  const std::string text = prometheusText("main", sampleReport());
  const std::string solve = "tactus_phase_seconds_bucket{session=\"main\",phase=\"solve\",le=";
  CHECK_THAT(text, Catch::Contains(solve + "\"0\"} 1\n"));
  CHECK_THAT(text, Catch::Contains(solve + "\"1e-09\"} 1\n"));
  CHECK_THAT(text, Catch::Contains(solve + "\"3e-09\"} 3\n"));
  CHECK_THAT(text, Catch::Contains(solve + "\"7e-09\"} 6\n"));
  CHECK_THAT(text, Catch::Contains(solve + "\"+Inf\"} 6\n"));
  CHECK_THAT(text, Catch::Contains("tactus_phase_seconds_sum{session=\"main\",phase=\"solve\"} 1.5e-08\n"));
  CHECK_THAT(text, Catch::Contains("tactus_slipped_seconds_total{session=\"main\"} 0.0025\n"));
  CHECK_THAT(text, Catch::Contains("tactus_late_ticks_total{session=\"main\",cause=\"host stall\"} 3\n"));
  CHECK_THAT(text, Catch::Contains("{session=\"main\",reader=\"4\",stream=\"observe\",fate=\"missed\"} 10\n"));
}
