// Covers: server/report/report_page.cpp
#include "server/report/qualification_page.h"
#include "tests/server/batch/sound_report.h"

#include <catch2/catch.hpp>

#include <string>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::tests;
using Catch::Matchers::Contains;

TEST_CASE("the page of a qualification is self-contained and shows its findings", "[server][report]") {
  QualificationReport report = soundReport();
  rt::LatencySummary& total = totalOf(report);
  total.count = 1000;
  total.octaves[17] = 990;  // 65.5 to 131 us
  total.octaves[18] = 10;
  report.stats.late_ticks[0] = 3;
  report.paced_over_time = {{500, 0, 100'000}, {1000, 3, 200'000}};
  report.accuracy = ValidationReport{};
  report.accuracy->trusted = true;
  report.accuracy->reference = "another method";
  report.host = "a processor, 3 cores";
  report.host_findings = {{"swap", Grade::kGood, "none", "none", "", ""},
                          {"governor", Grade::kPoor, "powersave", "performance", "the clock comes & goes", "cpupower"}};
  report = judged(report);
  const std::string page = toHtml("a <b>", {"tactus qualify x", "Made on 2026-11-23"}, report);
  CHECK_THAT(page, Contains("a &lt;b&gt;"));
  CHECK_THAT(page, Contains("1ms on this machine: " + std::string(toString(report.fitness))));
  CHECK_THAT(page, Contains("<td>150.0</td>"));  // the 99.9 % tick, us
  CHECK_THAT(page, Contains("SCHED_FIFO 80"));
  CHECK_THAT(page, Contains("the same bits"));
  CHECK_THAT(page, Contains("another method"));
  CHECK_THAT(page, Contains("Made on 2026-11-23"));
  CHECK_THAT(page, Contains("Missed deadlines so far") && Contains("Longest tick so far"));
  // What decides stands in the box of the verdict.
  CHECK(page.find(report.deciding) < page.find("tactus qualify x"));
  CHECK_THAT(page, Contains("a processor, 3 cores"));
  CHECK_THAT(page, Contains("powersave") && Contains("the clock comes &amp; goes") && !Contains("swap"));
  for (const char* outside : {"http", "<script", "src=", "<link"}) CHECK(page.find(outside) == std::string::npos);
  CHECK(page.find("nan") == std::string::npos);
  // One for each octave that has ticks.
  std::size_t columns = 0;
  for (std::size_t at = page.find("fill-opacity"); at != std::string::npos; at = page.find("fill-opacity", at + 1))
    ++columns;
  CHECK(columns == 2);

  CHECK_THAT(page, Contains("prefers-color-scheme:dark") && Contains("@media print"));
  for (const char* section : {"Paced-run", "The-machine", "Determinism", "Accuracy"}) {
    CHECK_THAT(page, Contains("<a href=\"#" + std::string(section) + "\">"));
    CHECK_THAT(page, Contains("<h2 id=\"" + std::string(section) + "\">"));
  }
  CHECK_THAT(page, Contains("Ticks that take at least this time"));

  report.interrupted = true;
  CHECK_THAT(toHtml("m", {}, report), Contains("no verdict"));
}

TEST_CASE("a page lists what does not hold first, then notes, then what holds", "[server][report]") {
  QualificationReport report = soundReport();
  report.reasons = {"ok: the bits", "accuracy, ok: energy, no: not this one", "accuracy, note: grows",
                    "accuracy, no: velocity", "no: 3 deadlines"};
  const std::string page = toHtml("m", {}, report);
  std::size_t last = page.find("class=\"failed\"");
  REQUIRE(last != std::string::npos);
  for (const char* next : {"accuracy, no: velocity", "no: 3 deadlines", "note: grows", "Passed:", "ok: the bits",
                           "accuracy, ok: energy"}) {
    CAPTURE(next);
    const std::size_t at = page.find(next, last);
    CHECK(at != std::string::npos);
    last = at;
  }
}
