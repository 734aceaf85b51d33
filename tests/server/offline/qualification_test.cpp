// `tactus qualify`: reruns give the same bits, and the verdict follows from the numbers.
#include "rt/error.h"
#include "server/cli/exit_code.h"
#include "server/cli/qualify.h"
#include "server/offline/qualification_page.h"
#include "tests/server/captured_command.h"
#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <filesystem>
#include <thread>

using namespace tactus;
using namespace tactus::server;
using Catch::Matchers::Contains;

namespace {

const std::atomic<bool> kNever{false};
void hearNothing(const std::string&) {}

/// A report in which everything is well: 1000 ticks of at most 0.2 ms at 1 ms.
QualificationReport soundReport() {
  QualificationReport report;
  report.period_ns = 1'000'000;
  report.ticks = report.stats.ticks = 1000;
  rt::LatencySummary& total = report.stats.phases[static_cast<std::size_t>(rt::Phase::kTotal)];
  total.p999 = 150'000;
  total.maximum = 200'000;
  report.reruns = {{"again", 0}};
  report.grants = {{"SCHED_FIFO 80", true, ""}};
  return report;
}

QualificationReport judged(QualificationReport report) {
  QualificationOptions options;
  options.ticks = 1000;
  options.thread.priority = 80;
  judge(options, report);
  return report;
}

rt::LatencySummary& totalOf(QualificationReport& report) {
  return report.stats.phases[static_cast<std::size_t>(rt::Phase::kTotal)];
}

}  // namespace

TEST_CASE("a model is qualified by paced ticks and by reruns with the same bits", "[server][qualify]") {
  const rt::Model model = rt::buildModel(tests::doublePendulum());
  QualificationOptions options;
  options.settings = rt::chooseSettings(model, 1'000'000);
  options.ticks = 200;
  const QualificationReport report = qualify(model, options, kNever, hearNothing);
  CHECK(report.status == rt::TickStatus::kOk);
  CHECK(report.ticks == 200);
  CHECK(report.stats.ticks == 200);
  CHECK(report.stats.phases[static_cast<std::size_t>(rt::Phase::kTotal)].count == 200);
  // Two threads, from half-way, and paced.
  REQUIRE(report.reruns.size() == 4);
  for (const Rerun& rerun : report.reruns) {
    INFO(rerun.how);
    CHECK(rerun.first_difference == 0);
  }
  CHECK(report.head_room > 0);
  CHECK(!report.reasons.empty());
  CHECK_THAT(report.host, Contains("Linux"));
  CHECK(!report.host_findings.empty());
}

TEST_CASE("a chain is qualified with all the threads that can share its steps", "[server][qualify]") {
  const rt::Model model = rt::buildModel(tests::chain(520));
  QualificationOptions options;
  options.settings = rt::chooseSettings(model, 10'000'000);
  options.ticks = 20;
  const QualificationReport report = qualify(model, options, kNever, hearNothing);
  std::size_t shared = 0;
  for (const Rerun& rerun : report.reruns) {
    INFO(rerun.how);
    CHECK(rerun.first_difference == 0);
    if (rerun.how.find("share each step") != std::string::npos) ++shared;
  }
  CHECK((shared > 0) == (std::thread::hardware_concurrency() >= 2));
}

TEST_CASE("the verdict is fit only where everything holds", "[server][qualify]") {
  CHECK(judged(soundReport()).fitness == Fitness::kFit);

  QualificationReport lacking = soundReport();
  lacking.grants[0].granted = false;
  lacking = judged(lacking);
  CHECK(lacking.fitness == Fitness::kFitWith);
  CHECK_THAT(lacking.conditions.at(0), Contains("SCHED_FIFO 80"));

  QualificationReport plain = soundReport();
  judge({}, plain);
  CHECK_THAT(plain.conditions.at(0), Contains("a real-time class"));

  QualificationReport slow = soundReport();
  totalOf(slow).p999 = 700'000;
  slow = judged(slow);
  CHECK(slow.fitness == Fitness::kFitWith);
  CHECK_THAT(slow.conditions.at(0), Contains("a period of 1.4 ms"));

  QualificationReport stalled = soundReport();
  totalOf(stalled).maximum = 3'000'000;
  stalled.stats.missed_deadlines = 1;
  CHECK(judged(stalled).fitness == Fitness::kFitWith);
  stalled.stats.missed_deadlines = 20;
  CHECK(judged(stalled).fitness == Fitness::kNotFit);

  QualificationReport open = soundReport();
  open.not_converged = 3;
  CHECK_THAT(judged(open).conditions.at(0), Contains("3 of 1000"));

  QualificationReport heavy = soundReport();
  totalOf(heavy).p999 = totalOf(heavy).maximum = 1'100'000;
  CHECK(judged(heavy).fitness == Fitness::kNotFit);

  QualificationReport different = soundReport();
  different.reruns[0].first_difference = 17;
  different = judged(different);
  CHECK(different.fitness == Fitness::kNotFit);
  CHECK_THAT(different.reasons.at(0), Contains("by tick 17"));

  QualificationReport inexact = soundReport();
  inexact.accuracy.emplace();
  inexact.accuracy->reasons = {"no: observed order 1, at least 1.5 wanted"};
  inexact = judged(inexact);
  CHECK(inexact.fitness == Fitness::kFitWith);
  CHECK_THAT(inexact.reasons.back(), Contains("accuracy, no: observed order 1"));
  CHECK_THAT(inexact.conditions.at(0), Contains("accuracy"));

  QualificationReport failed = soundReport();
  failed.status = rt::TickStatus::kNonFinite;
  CHECK(judged(failed).fitness == Fitness::kNotFit);
}

TEST_CASE("the page of a qualification stands alone and says what was found", "[server][qualify]") {
  QualificationReport report = soundReport();
  rt::LatencySummary& total = totalOf(report);
  total.count = 1000;
  total.octaves[17] = 990;  // 65.5 to 131 us
  total.octaves[18] = 10;
  report.stats.late_ticks[0] = 3;
  report.accuracy = ValidationReport{};
  report.accuracy->reference = "another method";
  report.host = "a processor, 3 cores";
  report.host_findings = {{"swap", Grade::kGood, "none", "none", "", ""},
                          {"governor", Grade::kPoor, "powersave", "performance", "the clock comes & goes", "cpupower"}};
  report = judged(report);
  const std::string page = toHtml("a <b>", "tactus qualify x", report);
  CHECK_THAT(page, Contains("a &lt;b&gt;"));
  CHECK_THAT(page, Contains("1 ms on this machine: " + std::string(toString(report.fitness))));
  CHECK_THAT(page, Contains("<td>150</td>"));  // the 99.9 % tick, us
  CHECK_THAT(page, Contains("SCHED_FIFO 80"));
  CHECK_THAT(page, Contains("the same bits"));
  CHECK_THAT(page, Contains("another method"));
  CHECK_THAT(page, Contains("a processor, 3 cores"));
  CHECK_THAT(page, Contains("powersave") && Contains("the clock comes &amp; goes") && !Contains("swap"));
  for (const char* outside : {"http", "<script", "src=", "<link"}) CHECK(page.find(outside) == std::string::npos);
  CHECK(page.find("nan") == std::string::npos);
  // One for each octave that has ticks.
  std::size_t columns = 0;
  for (std::size_t at = page.find("fill-opacity"); at != std::string::npos; at = page.find("fill-opacity", at + 1))
    ++columns;
  CHECK(columns == 2);

  report.interrupted = true;
  CHECK_THAT(toHtml("m", "", report), Contains("no verdict"));
}

TEST_CASE("an interrupted qualification has no verdict", "[server][qualify]") {
  const rt::Model model = rt::buildModel(tests::doublePendulum());
  QualificationOptions options;
  options.settings = rt::chooseSettings(model, 1'000'000);
  options.ticks = 100;
  const std::atomic<bool> interrupt{true};
  const QualificationReport report = qualify(model, options, interrupt, hearNothing);
  CHECK(report.interrupted);
  CHECK(report.reasons.empty());
  options.ticks = 1;
  CHECK_THROWS_AS(qualify(model, options, kNever, hearNothing), Error);
}

TEST_CASE("the command prints JSON and refuses what it does not know", "[server][qualify]") {
  const auto run = [](const std::string& arguments) {
    return tests::runCommand("qualify " + arguments, addQualifyCommand);
  };
  const tests::Outcome outcome = run("double_pendulum --duration 50ms --priority 0 --json");
  CHECK((outcome.exit_code == kExitOk || outcome.exit_code == kExitFinding));
  const nlohmann::json report = nlohmann::json::parse(outcome.out);
  CHECK(report["ticks"] == 50);
  CHECK(report["reruns"].size() == 4);
  CHECK(report["verdict"].get<std::string>().find("fit") != std::string::npos);
  CHECK(report["accuracy"]["trusted"] == true);
  CHECK(report["accuracy"]["rows"][0]["position_error"].get<double>() > 0);
  const std::string page =
      (std::filesystem::temp_directory_path() / ("tactus_" + std::to_string(::getpid()) + "_qualify.html")).string();
  run("double_pendulum --duration 20ms --compare 10ms --priority 0 --report " + page);
  CHECK(std::filesystem::file_size(page) > 2000);
  std::filesystem::remove(page);
  CHECK(run("double_pendulum --report /no/such/folder/page.html").exit_code == kExitUsage);
  CHECK(run("no_such_model").exit_code == kExitUsage);
  CHECK(run("double_pendulum --period fast").exit_code == kExitUsage);
}
