#include "proto/text/prometheus.h"
#include "rt/loop/latency_histogram.h"

#include <catch2/catch.hpp>

#include <map>
#include <sstream>
#include <string>
#include <vector>

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
}

TEST_CASE("every histogram has all buckets from the first page on", "[clients][cli]") {
  TimingReport report = sampleReport();
  const auto bounds = [&report] {
    std::istringstream lines(prometheusText("main", report));
    std::vector<std::string> found;
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("tactus_phase_seconds_bucket{")) found.push_back(line.substr(0, line.rfind(' ')));
    return found;
  };
  const std::vector<std::string> before = bounds();
  CHECK(before.size() == tactus::rt::kOctaves);  // the last one is +Inf
  report.mutable_phases(0)->clear_octaves();
  CHECK(bounds() == before);

  // Two slow ticks: one of 1 s, and one that is longer than all bounds.
  auto& octaves = *report.mutable_phases(0)->mutable_octaves();
  octaves.Resize(tactus::rt::kOctaves, 0);
  octaves[30] = octaves[40] = 1;
  report.mutable_phases(0)->set_count(2);
  CHECK(bounds() == before);
  const std::string text = prometheusText("main", report);
  CHECK_THAT(text, Catch::Contains("le=\"0.536870911\"} 0\n") && Catch::Contains("le=\"1.07374182\"} 1\n"));
  CHECK_THAT(text, Catch::Contains("le=\"549.755814\"} 1\n") && Catch::Contains("le=\"+Inf\"} 2\n"));
}

TEST_CASE("counts have all their digits", "[clients][cli]") {
  TimingReport report = sampleReport();
  report.set_ticks(1'234'567'891);
  report.mutable_phases(0)->set_count(123'456'789'012);
  report.mutable_phases(0)->set_octaves(0, 123'456'789'007);
  const std::string text = prometheusText("main", report);
  CHECK_THAT(text, Catch::Contains("tactus_ticks_total{session=\"main\"} 1234567891\n"));
  CHECK_THAT(text, Catch::Contains("tactus_phase_seconds_count{session=\"main\",phase=\"solve\"} 123456789012\n"));
  CHECK_THAT(text, Catch::Contains("le=\"7e-09\"} 123456789012\n"));
}

TEST_CASE("the frames of a reader that closes stay in the counter of its session", "[clients][cli]") {
  TimingReport report = sampleReport();
  auto* closed = report.add_readers();
  closed->set_sent(7);
  closed->set_missed(2);
  const std::string frames = "tactus_reader_frames_total{session=\"main\",fate=";
  const auto counted = [&] {
    const std::string text = prometheusText("main", report);
    CHECK_THAT(text, Catch::Contains(frames + "\"sent\"} 97\n"));
    CHECK_THAT(text, Catch::Contains(frames + "\"missed\"} 12\n"));
    CHECK_THAT(text, !Catch::Contains("reader=") && !Catch::Contains("stream="));
  };
  counted();
  report.mutable_readers()->RemoveLast();
  report.mutable_readers(0)->set_id(0);
  report.mutable_readers(0)->clear_stream();
  report.mutable_readers(0)->set_sent(97);
  report.mutable_readers(0)->set_missed(12);
  counted();
}
