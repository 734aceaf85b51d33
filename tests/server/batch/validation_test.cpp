// Covers: server/batch/measured_run.cpp
#include "server/batch/validation.h"
#include "rt/model/model.h"
#include "server/models/built_in_models.h"
#include "tests/server/batch/never.h"
#include "tests/support/mechanisms.h"
#include "tests/support/pushed_brick.h"

#include <catch2/catch.hpp>

using namespace tactus;
using namespace tactus::server;
using Catch::Matchers::Contains;
using tactus::tests::kNever;

namespace {

void hearNothing(const std::string&) {}

ValidationOptions optionsFor(std::int64_t step_ns, std::int64_t until_ns) {
  ValidationOptions options;
  options.step_ns = step_ns;
  options.until_ns = until_ns;
  options.against = {"lms2"};
  return options;
}

}  // namespace

TEST_CASE("validation measures the error and the order of the tick and of other methods", "[server][batch]") {
  const rt::Model model = rt::buildModel(tests::doublePendulum());
  const ValidationReport report = validate(model, optionsFor(10'000'000, 1'000'000'000), kNever, hearNothing);
  REQUIRE(report.rows.size() == 6);
  CHECK(report.rows[0].method == "ali3p");
  CHECK(report.rows[2].step_ns == 2'500'000);
  CHECK(report.rows[3].method == "lms2");
  for (const ValidationRow& row : report.rows) {
    INFO(row.method << " at " << row.step_ns);
    CHECK(row.failure.empty());
    CHECK(row.position_error > 0);
    CHECK(row.position_error < 1e-3);  // twice what is seen at 10 ms, 4.2e-4 m
    // Two steps apart, the next order still shows.
    if (row.order != 0) CHECK(row.order == Approx(2).margin(0.3));
  }
  CHECK(report.reference_error < 1e-6);  // ten times the tolerance of the looser reference
  CHECK(report.t.size() == 100);
  CHECK(report.position_error.size() == report.t.size());
  REQUIRE(report.references.size() == 2);
  for (const ReferenceFigures& reference : report.references) CHECK(reference.covered == Approx(1));
  CHECK(report.complete());
  CHECK(report.judged.size() == 2 * 4 + 2 * 2);  // of two bodies and two joints
  CHECK(report.signals.size() > 26);
  CHECK(report.compared == std::vector<std::string>{"ali3p", "lms2"});
  for (const SignalError& signal : report.signals) REQUIRE(signal.errors.size() == 2);
  CHECK(report.reference_error > 0);  // two runs that cannot be the same one
  REQUIRE(report.spectrum.frequency.size() == 50);
  CHECK(report.spectrum.frequency.back() == Approx(50).epsilon(0.02));
  CHECK(report.trusted);
}

TEST_CASE("a coarse step is not trusted, and the report names the reason", "[server][batch]") {
  const rt::Model model = rt::buildModel(tests::doublePendulum());
  ValidationOptions options = optionsFor(50'000'000, 2'000'000'000);
  options.against.clear();
  options.tolerances.set("all=1e-5");
  const ValidationReport report = validate(model, options, kNever, hearNothing);
  CHECK_FALSE(report.trusted);
  std::string all;
  for (const std::string& reason : report.reasons) all += reason + '\n';
  CHECK_THAT(all, Contains("no: position: error of"));
}

TEST_CASE("an order that is too low is not trusted, whatever other methods and rows of input that change nothing say",
          "[server][batch]") {
  rt::ModelSpec spec = openBuiltInModel("slider_crank").spec;
  rt::ActuatorSpec push;
  push.name = "push";
  push.kind = rt::BodyForceSpec{spec.bodies.front().name, {0, 0, 0}, {1, 0, 0}};
  spec.actuators = {push};
  const rt::Model model = rt::buildModel(spec);
  ValidationOptions options = optionsFor(20'000'000, 1'000'000'000);
  options.iterations = 1;
  options.tolerances.set("all=0.1");
  options.tolerances.set("position=1");
  options.budget_s = 1200;  // a verdict, not the speed of a busy or instrumented machine
  using Script = std::vector<rt::ScriptedInput>;
  for (const Script& script : {Script{}, Script{{1, {0.0}}, {26, {0.0}}}, Script{{5001, {3.0}}}}) {
    for (const std::string method : {"newmark-tangent", "ali3p"}) {
      options.against = {method};
      options.script = script;
      const ValidationReport report = validate(model, options, kNever, hearNothing);
      std::string all;
      for (const std::string& reason : report.reasons) all += reason + '\n';
      CAPTURE(method, script.size(), all);
      CHECK_FALSE(report.trusted);
      CHECK_THAT(report.deciding, Contains("no: observed order") && Contains("required 1.5"));
      CHECK_THAT(all, Contains("every actuator keeps its initial value"));
      CHECK((all.find("the inputs change nothing in this time") != std::string::npos) == !script.empty());
    }
  }
}

TEST_CASE("validation refuses invalid options and stops on an interrupt", "[server][batch]") {
  const rt::Model model = rt::buildModel(tests::doublePendulum());
  ValidationOptions options = optionsFor(10'000'000, 1'005'000'000);
  CHECK_THROWS_WITH(validate(model, options, kNever, hearNothing), Contains("whole number of steps"));
  options = optionsFor(10'000'000, 1'000'000'000);
  options.against = {"lms22"};
  CHECK_THROWS_WITH(validate(model, options, kNever, hearNothing), Contains("did you mean 'lms2'"));
  options.against = {"lms2:rho=1"};
  CHECK_THROWS_WITH(validate(model, options, kNever, hearNothing), Contains("no option 'rho'"));
  // A method that cannot treat the model costs its own row alone.
  options = optionsFor(10'000'000, 100'000'000);
  options.against = {"ali3p-literal", "lms2:rho_inf=0"};
  const ValidationReport rest =
      validate(rt::buildModel(tests::fourBar(tests::FourBarReading::kDown)), options, kNever, hearNothing);
  REQUIRE(rest.rows.size() == 7);
  CHECK_THAT(rest.rows[3].failure, Contains("not run: ali3p-literal takes chains of spherical joints"));
  CHECK(rest.rows[6].method == "lms2:rho_inf=0");
  CHECK(rest.rows[6].failure.empty());
  const std::atomic<bool> now{true};
  options.against.clear();
  const ValidationReport report = validate(model, options, now, hearNothing);
  CHECK(report.interrupted);
  CHECK_FALSE(report.trusted);
}

TEST_CASE("validation judges the motion of the tick, which reaches a first input at the end of its first step",
          "[server][batch]") {
  ValidationOptions options;
  options.step_ns = 10'000'000;
  options.until_ns = 200'000'000;
  options.script = {{1, {20.0}}};
  const ValidationReport report = validate(rt::buildModel(tests::pushedBrick()), options, kNever, hearNothing);
  // At a = 10 m/s^2 the mean of both ends of the first step is a h / 2 less, later a h / 2 (t - h / 2) of the way.
  REQUIRE(report.rows.size() == 3);
  for (const ValidationRow& row : report.rows) {
    const double h = 1e-9 * static_cast<double>(row.step_ns);
    CHECK(row.position_error == Approx(5 * h * (0.2 - h / 2)).epsilon(1e-6));  // the tolerance of the references
  }
  CHECK(report.rows[2].order == Approx(1).margin(0.05));  // h / 2 beside 0.2 s
  CHECK_FALSE(report.trusted);
  std::string all;
  for (const std::string& reason : report.reasons) all += reason + '\n';
  CHECK_THAT(all, Contains("no: position: error of brick 0.00975 m"));
  CHECK_THAT(all, Contains("expected order 1 at kinks: inputs that jump"));
  CHECK_THAT(all, Contains("note: the first inputs differ from the initial values of the actuators"));
}

TEST_CASE("a run that its time ended is not shown as a run to the end, and has no order", "[server][batch]") {
  // 800 000 steps of the solver, each of some microseconds, in a share of 2 s, and twice and four times as many in less.
  const rt::Model model = rt::buildModel(tests::doublePendulum());
  ValidationOptions options;
  options.step_ns = 1'000'000;
  options.until_ns = 800'000'000'000;
  options.budget_s = 2;
  const ValidationReport report = validate(model, options, kNever, hearNothing);
  CHECK_FALSE(report.trusted);
  CHECK_FALSE(report.partly);
  if (report.rows.size() < 3) return;  // no reference came to the first sample, on a slow machine
  std::string all;
  for (const std::string& reason : report.reasons) all += reason + '\n';
  CHECK_THAT(all, Contains("no: the real-time solver came to t ="));
  CHECK_THAT(all, !Contains("ran to the end"));
  CHECK_THAT(all, !Contains("observed order"));
  for (std::size_t k = 1; k < report.rows.size(); ++k) {
    const ValidationRow& row = report.rows[k];
    INFO(row.method << " at " << row.step_ns << ", reached " << row.reached << " s");
    // A pause of the process may have taken the rest of the budget before this row.
    CHECK_THAT(row.failure,
               (Contains("ended at t =") && Contains("the budget is spent")) || Contains("not run: the budget"));
    CHECK(row.order == 0);
  }
}
