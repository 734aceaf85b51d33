// Reruns give the same bits, and the verdict follows from the numbers.
#include "server/batch/qualification.h"
#include "rt/error.h"
#include "rt/model/model.h"
#include "tests/server/batch/never.h"
#include "tests/server/batch/sound_report.h"
#include "tests/support/mechanisms.h"
#include "tests/support/pushed_brick.h"

#include <catch2/catch.hpp>

#include <thread>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::tests;
using Catch::Matchers::Contains;

namespace {

void hearNothing(const std::string&) {}

}  // namespace

TEST_CASE("a qualification paces the ticks and repeats them with the same bits", "[server][batch]") {
  const rt::Model model = rt::buildModel(tests::doublePendulum());
  QualificationOptions options;
  options.settings = rt::chooseSettings(model, 1'000'000);
  options.ticks = 200;
  const QualificationReport report = qualify(model, options, kNever, hearNothing);
  CHECK(report.status == rt::TickStatus::kOk);
  CHECK(report.ticks == 200);
  CHECK(report.stats.ticks == 200);
  CHECK(report.stats.phases[static_cast<std::size_t>(rt::Phase::kTotal)].count == 200);
  // Two reruns side by side, one from a saved state, and the paced run.
  REQUIRE(report.reruns.size() == 4);
  for (const Rerun& rerun : report.reruns) {
    INFO(rerun.how);
    CHECK(rerun.first_difference == 0);
  }
  CHECK(report.head_room > 0);
  REQUIRE(!report.paced_over_time.empty());
  CHECK(report.paced_over_time.back().longest_ns > 0);
  CHECK(!report.reasons.empty());
  CHECK_THAT(report.host, Contains("Linux"));
  CHECK(!report.host_findings.empty());
}

TEST_CASE("a qualification with inputs repeats the ticks from a saved state with the input that is in force there",
          "[server][batch]") {
  const rt::Model model = rt::buildModel(pushedBrick());
  QualificationOptions options;
  options.settings = rt::chooseSettings(model, 1'000'000);
  options.ticks = 200;
  options.script = {{1, {2.0}}, {51, {-3.0}}, {151, {1.0}}};
  const QualificationReport report = qualify(model, options, kNever, hearNothing);
  REQUIRE(report.reruns.size() == 4);
  CHECK(report.reruns[2].how == "from the state of tick 100");
  for (const Rerun& rerun : report.reruns) {
    INFO(rerun.how);
    CHECK(rerun.first_difference == 0);
  }
}

TEST_CASE("the qualification of a chain uses all threads that can share its steps", "[server][batch]") {
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

TEST_CASE("the verdict is fit only if every check holds", "[server][batch]") {
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
  CHECK_THAT(slow.conditions.at(0), Contains("a period of 1.4ms"));

  QualificationOptions wide;
  wide.head_room = 50.5;
  QualificationReport wider = soundReport();
  totalOf(wider).p999 = 320'000;
  judge(wide, wider);
  CHECK_THAT(wider.conditions.at(0), Contains("a period of 16.2ms or more, for a headroom of 50.5"));

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
  inexact.accuracy->reasons = {"no: observed order 1, required 1.5"};
  inexact.accuracy->deciding = inexact.accuracy->reasons.front();
  inexact = judged(inexact);
  CHECK(inexact.fitness == Fitness::kNotFit);
  CHECK_THAT(inexact.reasons.back(), Contains("accuracy, no: observed order 1"));
  CHECK_THAT(inexact.deciding, Contains("accuracy is not trusted") && Contains("observed order 1"));

  QualificationReport partly = soundReport();
  partly.accuracy.emplace();
  partly.accuracy->partly = true;
  partly.accuracy->confirmed = 2;
  partly.accuracy->until = 10;
  partly = judged(partly);
  CHECK(partly.fitness == Fitness::kFitWith);
  CHECK_THAT(partly.conditions.at(0), Contains("up to t = 2 s of 10 s"));

  QualificationReport alone = soundReport();
  alone.accuracy.reset();
  alone = judged(alone);
  CHECK(alone.fitness == Fitness::kFitWith);
  CHECK_THAT(alone.conditions.at(0), Contains("--compare 0s left the comparison"));

  QualificationReport failed = soundReport();
  failed.status = rt::TickStatus::kNonFinite;
  CHECK(judged(failed).fitness == Fitness::kNotFit);
}

TEST_CASE("an interrupted qualification has no verdict", "[server][batch]") {
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
