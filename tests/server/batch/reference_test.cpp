// References of stiff models, and verdicts that claim no more than the references cover.
#include "server/batch/reference.h"
#include "server/models/beams.h"
#include "server/models/built_in_models.h"
#include "tests/server/batch/verdict_case.h"
#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace tactus;
using namespace tactus::tests::verdicts;
using tactus::tests::kNever;

namespace {

/// A swinging arm with 0.2 kg on a bushing at its end.
rt::ModelSpec bushed(double stiffness, double damping, double moved = 0) {
  const auto six = [](double along, double about) {
    return "[" + number(along) + ", " + number(along) + ", " + number(along) + ", " + number(about) + ", " +
           number(about) + ", " + number(about) + "]";
  };
  return specOf(
      model(body("arm", 1, 0.1, "[0.5, 0, 0]") + ", " + body("tip", 0.2, 1e-4, "[" + number(1 + moved) + ", 0, 0]"),
            hinge("hinge", "ground", "arm", "[0, 0, 0]", "[-0.5, 0, 0]"),
            R"({"name": "bush", "bushing": {"body_1": "arm", "body_2": "tip", "point_1": [0.5, 0, 0],
                        "point_2": [)" +
                number(-moved) + R"(, 0, 0], "stiffness": )" + six(stiffness, 10) + R"(, "damping": )" +
                six(damping, damping > 0 ? 0.01 : 0) + "}}"));
}

std::vector<std::string> namesFor(const rt::ModelSpec& spec, double step) {
  std::vector<std::string> names;
  for (const server::ReferenceMethod& method : server::referencesFor(rt::buildModel(spec), step))
    names.push_back(method.method);
  return names;
}

}  // namespace

TEST_CASE("stiff models have implicit references, large ones sparse ones", "[server][batch]") {
  using Names = std::vector<std::string>;
  CHECK(namesFor(tests::doublePendulum(), 1e-3) == Names{"mcs-qr", "rn4", "lms2"});
  CHECK(namesFor(tests::chain(12), 1e-2) == Names{"projected", "rn4", "lms2"});
  CHECK(namesFor(tests::chain(30), 1e-2) == Names{"projected", "lms2", "esdirk43-6l"});
  // 0.2 kg on 1e3 and 1e9 N/m: an explicit method makes less than one step in one of 1 ms, and 35.
  CHECK(namesFor(bushed(1e3, 0), 1e-3) == Names{"mcs-qr", "rn4", "lms2"});
  CHECK(namesFor(bushed(1e9, 0), 1e-3) == Names{"lms2", "rn4", "esdirk43-6l"});
  CHECK(namesFor(bushed(1e9, 0), 1e-5) == Names{"mcs-qr", "rn4", "lms2"});
  CHECK(namesFor(server::makeCantilever(8), 1e-3) == Names{"lms2", "rn4", "esdirk43-6l"});
  CHECK(namesFor(server::makeBeamChain(30), 1e-3) == Names{"lms2", "esdirk43-6l"});
  CHECK(namesFor(server::makeBeamChain(200), 1e-3) == Names{"lms2", "esdirk43-6l"});  // by its rows alone
}

TEST_CASE("bushings, beams, flexible chassis and tyres that a step does not resolve are not trusted",
          "[server][batch][verdict]") {
  const std::vector<VerdictCase> cases = {
      {"a bushing without damping, out of its rest", bushed(2e5, 0, 1e-3), false, "no: load: error of bush", 1000, 500},
      {"a hard bushing without damping", bushed(1e9, 0), false, "no: load: error of bush", 1000, 100},
      {"a cantilever with a coarse step", server::makeCantilever(2), false, "no: load: error of beam.element", 5000,
       50},
      {"a falling wire", server::makeBeamChain(4), false, "no: load: error of wire.element", 1000, 50},
      {"a modal chassis that begins to vibrate", server::openBuiltInModel("sedan_flexible").spec, false,
       "no: load: error of chassis.mode_spring", 1000, 20},
      {"a wheel that slips, with a coarse step", tests::rollingRig(), false, "no: load: error of", 20'000, 200},
  };
  for (const VerdictCase& c : cases) check(c);
}

TEST_CASE("bushings, beams, a flexible chassis and tyres that a step resolves are trusted",
          "[server][batch][verdict]") {
  const std::vector<VerdictCase> cases = {
      {"a bushing with a damper", bushed(1e3, 20), true, "ok: load: error of bush", 1000, 500},
      {"a beam that begins to turn", server::openBuiltInModel("rotating_beam").spec, true, "ok: load: error of beam",
       10'000, 480},
      {"a flexible arm with a fine step", server::openBuiltInModel("flexible_arm").spec, true,
       "ok: velocity: error of boom", 500, 60},
      {"a car that rolls, its tyres with slip", server::openBuiltInModel("sedan").spec, true, "ok: load: error of",
       1000, 40},
  };
  for (const VerdictCase& c : cases) check(c);
}

TEST_CASE("a verdict claims no more than two references cover, with limits that do not depend on it",
          "[server][batch][verdict]") {
  const rt::Model model = rt::buildModel(server::openBuiltInModel("flexible_arm").spec);
  const auto report = [&](double budget) {
    ValidationOptions options;
    options.step_ns = 500'000;
    options.until_ns = 60'000'000;
    options.budget_s = budget;
    return server::validate(model, options, kNever, [](const std::string&) {});
  };
  // The first budget is for busy and instrumented machines.
  const ValidationReport all = report(1200), part = report(0.7);
  REQUIRE(all.complete());
  CHECK(all.trusted);
  CHECK(all.confirmed == Approx(0.06));
  // What so short a time covers depends on the machine.
  if (part.complete()) return;
  CHECK_FALSE(part.trusted);
  CHECK((part.deciding.rfind("no: ", 0) == 0 || part.deciding.rfind("part: two references cover", 0) == 0));
  const server::ValidationRow& quarter = part.rows.back();
  if (quarter.step_ns != 125'000 || quarter.reached < part.until * (1 - 1e-9)) return;  // the scales are unknown
  for (const server::JudgedError& e : part.judged) {
    const auto same = std::find_if(all.judged.begin(), all.judged.end(), [&](const server::JudgedError& other) {
      return other.name == e.name && other.kind == e.kind;
    });
    REQUIRE(same != all.judged.end());
    CHECK(e.limit == Approx(same->limit).epsilon(0.01));  // the scale of a motion that the solver has within its error
  }
}

TEST_CASE("a motion of which the references see the beginning alone is not confirmed", "[server][batch][verdict]") {
  // Bars at rest that a motor brings to speed within a second; the references come to some hundredths of it.
  const rt::Model model = rt::buildModel(server::openBuiltInModel("flexible_four_bar").spec);
  ValidationOptions options;
  options.step_ns = 1'000'000;
  options.until_ns = 2'000'000'000;
  options.budget_s = 2;
  const ValidationReport report = server::validate(model, options, kNever, [](const std::string&) {});
  std::string all;
  for (const std::string& reason : report.reasons) all += reason + '\n';
  INFO(all);
  CHECK_FALSE(report.trusted);
  CHECK_FALSE(report.partly);
  CHECK(report.confirmed < 0.2);  // s: the machine would have to be ten times as fast
  CHECK_THAT(all, Catch::Matchers::Contains("in which the motion exchanges") ||
                      Catch::Matchers::Contains("no: only one reference") ||
                      Catch::Matchers::Contains("no: no reference came to the first sample"));  // on a slow machine
}
