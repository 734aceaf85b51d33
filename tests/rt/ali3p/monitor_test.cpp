#include "rt/ali3p/monitor.h"
#include "rt/model/model.h"

#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>

#include <limits>

using namespace tactus::rt;
using namespace tactus::tests;

TEST_CASE("a violation is predicted from the way it shrank the last time", "[rt][ali3p]") {
  PredictedViolation violation;
  CHECK(violation.next() == 0);
  violation.record(1e-2);
  CHECK(violation.next() == 0);  // one value predicts nothing
  violation.record(1e-4);
  CHECK(violation.next() == Approx(1e-6));
  violation.record(1e-3);
  CHECK(violation.next() == Approx(1e-3));  // a violation that has grown counts as constant
  violation.record(0);
  CHECK(violation.next() == 0);
}

TEST_CASE("increments are recorded with their contraction, down to round-off", "[rt][ali3p]") {
  const Model model = buildModel(doublePendulum());
  StepReport report;
  recordIncrement(model, 1e-3 * model.length, report);
  CHECK(report.contraction == 0);
  recordIncrement(model, 1e-5 * model.length, report);
  CHECK(report.contraction == Approx(1e-2));
  report.increment = 1e-12 * model.length;
  recordIncrement(model, 1e-12 * model.length, report);
  CHECK(report.contraction == 0);
}

TEST_CASE("a new factor is wanted where increments or violations would stay", "[rt][ali3p]") {
  const Model model = buildModel(doublePendulum());
  const Settings settings;
  StepReport report;
  PredictedViolation none, large;
  large.record(1e-3);
  large.record(1e-6);  // leaves 1e-9: above refactor_violation
  CHECK_FALSE(wantsFactor(model, settings, report, none));
  CHECK(wantsFactor(model, settings, report, large));
  report.increment = 1e-4 * model.length;
  report.contraction = 0.5;
  CHECK(wantsFactor(model, settings, report, none));
  report.contraction = 0.05;  // below refactor_above
  CHECK_FALSE(wantsFactor(model, settings, report, none));
  report.contraction = 0.5;
  report.increment = 1e-11 * model.length;  // one more increment would not count
  CHECK_FALSE(wantsFactor(model, settings, report, none));
}

TEST_CASE("a step has converged if its last increment is small, and not if that is not a number", "[rt][ali3p]") {
  const Model model = buildModel(doublePendulum());
  StepReport report;
  report.increment = 0.9e-6 * model.length;
  classify(model, report);
  CHECK(report.converged);
  report.increment = 1.1e-6 * model.length;
  classify(model, report);
  CHECK_FALSE(report.converged);
  report.increment = std::numeric_limits<double>::quiet_NaN();
  classify(model, report);
  CHECK_FALSE(report.converged);
}

TEST_CASE("the iterations that a step needs follow from the rate at which its increments shrink", "[rt][ali3p]") {
  const Model model = buildModel(doublePendulum());
  StepReport report;
  report.iterations = 6;  // of the three parts of a step of order 3
  report.increment = 0.9e-6 * model.length;
  report.contraction = 0.5;
  CHECK(iterationsNeeded(model, report, 2) == 2);
  report.increment = 2e-4 * model.length;
  report.contraction = 0.1;
  CHECK(iterationsNeeded(model, report, 2) == 5);  // 2e-5, 2e-6, 2e-7
  report.contraction = 0;                          // of one iteration
  CHECK(iterationsNeeded(model, report, 2) == 3);
  for (const double stuck : {0.99, 1.0, 3.0, std::numeric_limits<double>::quiet_NaN()}) {
    report.contraction = stuck;
    CHECK(iterationsNeeded(model, report, 2) == kMaxIterations + 1);
  }
  report.increment = std::numeric_limits<double>::quiet_NaN();
  CHECK(iterationsNeeded(model, report, 2) == kMaxIterations + 1);
}
