// `tactus qualify`: reruns give the same bits, and the verdict follows from the numbers.
#include "server/offline/qualification.h"
#include "rt/error.h"
#include "server/cli/exit_code.h"
#include "server/cli/qualify.h"
#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <iostream>
#include <sstream>
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
  const auto run = [](const std::vector<std::string>& arguments, std::string& out) {
    CLI::App app;
    int exit_code = kExitOk;
    addQualifyCommand(app, exit_code);
    std::ostringstream captured, ignored;
    std::streambuf* const cout = std::cout.rdbuf(captured.rdbuf());
    std::streambuf* const cerr = std::cerr.rdbuf(ignored.rdbuf());
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    std::cout.rdbuf(cout);
    std::cerr.rdbuf(cerr);
    out = captured.str();
    return exit_code;
  };
  std::string out;
  const int code = run({"qualify", "double_pendulum", "--duration", "50ms", "--priority", "0", "--json"}, out);
  CHECK((code == kExitOk || code == kExitFinding));
  const nlohmann::json report = nlohmann::json::parse(out);
  CHECK(report["ticks"] == 50);
  CHECK(report["reruns"].size() == 4);
  CHECK(report["verdict"].get<std::string>().find("fit") != std::string::npos);
  CHECK(report["accuracy"]["trusted"] == true);
  CHECK(report["accuracy"]["rows"][0]["position_error"].get<double>() > 0);
  CHECK(run({"qualify", "no_such_model"}, out) == kExitUsage);
  CHECK(run({"qualify", "double_pendulum", "--period", "fast"}, out) == kExitUsage);
}
