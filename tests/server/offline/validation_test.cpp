// `tactus validate`: what it measures, what it concludes, and the page that it writes.
#include "rt/error.h"
#include "server/cli/exit_code.h"
#include "server/cli/validate.h"
#include "server/offline/line_chart.h"
#include "server/offline/validation_page.h"
#include "tests/server/captured_command.h"
#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

using namespace tactus;
using namespace tactus::server;
using Catch::Matchers::Contains;

namespace {

const std::atomic<bool> kNever{false};
void hearNothing(const std::string&) {}

ValidationOptions optionsFor(std::int64_t step_ns, std::int64_t until_ns) {
  ValidationOptions options;
  options.step_ns = step_ns;
  options.until_ns = until_ns;
  options.against = {"lms2"};
  return options;
}

}  // namespace

TEST_CASE("validation measures the error of the tick, its order, and that of others", "[server][validate]") {
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
    CHECK(row.position_error < 1e-3);
    if (row.order != 0) CHECK(row.order == Approx(2).margin(0.3));
  }
  CHECK(report.reference_error < 1e-7);
  CHECK(report.t.size() == 101);
  CHECK(report.position_error.size() == report.t.size());
  CHECK(report.signals.size() > 26);
  CHECK(report.compared == std::vector<std::string>{"ali3p", "lms2"});
  for (const SignalError& signal : report.signals) REQUIRE(signal.errors.size() == 2);
  CHECK(report.reference_error > 0);  // two runs that cannot be the same one
  REQUIRE(report.spectrum.frequency.size() == 50);
  CHECK(report.spectrum.frequency.back() == Approx(50).epsilon(0.02));
  CHECK(report.trusted);
}

TEST_CASE("a coarse step is not trusted, and the reason is named", "[server][validate]") {
  const rt::Model model = rt::buildModel(tests::doublePendulum());
  ValidationOptions options = optionsFor(50'000'000, 2'000'000'000);
  options.against.clear();
  options.tolerance = 1e-5;
  const ValidationReport report = validate(model, options, kNever, hearNothing);
  CHECK_FALSE(report.trusted);
  std::string all;
  for (const std::string& reason : report.reasons) all += reason + '\n';
  CHECK_THAT(all, Contains("no: largest error of a position"));
}

TEST_CASE("validation refuses what it cannot do and stops when told to", "[server][validate]") {
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
  CHECK_THAT(rest.rows[3].failure, Contains("not run: ali3p-literal takes open chains"));
  CHECK(rest.rows[6].method == "lms2:rho_inf=0");
  CHECK(rest.rows[6].failure.empty());
  const std::atomic<bool> now{true};
  options.against.clear();
  const ValidationReport report = validate(model, options, now, hearNothing);
  CHECK(report.interrupted);
  CHECK_FALSE(report.trusted);
}

TEST_CASE("the page of a validation stands alone", "[server][validate]") {
  const rt::Model model = rt::buildModel(tests::doublePendulum());
  const ValidationReport report = validate(model, optionsFor(10'000'000, 200'000'000), kNever, hearNothing);
  const std::string page = toHtml("a <b> & c", "tactus validate x", report);
  CHECK_THAT(page, Contains("a &lt;b&gt; &amp; c"));
  CHECK_THAT(page, Contains("can be trusted"));
  for (const char* outside : {"http", "<script", "src=", "<link"}) CHECK(page.find(outside) == std::string::npos);
  std::size_t charts = 0;
  for (std::size_t at = page.find("<svg"); at != std::string::npos; at = page.find("<svg", at + 1)) ++charts;
  CHECK(charts == 4);
  CHECK(page.find("nan") == std::string::npos);
}

TEST_CASE("a chart leaves out what its axes cannot show", "[server][validate]") {
  const std::string svg =
      toSvg({"t", "x", "y", false, true, {{"line", {0, 1, 2, 3}, {0, 1e-6, std::nan(""), 1e-3}, LineKind::kPoints}}});
  std::size_t dots = 0;
  for (std::size_t at = svg.find("<circle"); at != std::string::npos; at = svg.find("<circle", at + 1)) ++dots;
  CHECK(dots == 2);
  CHECK(svg.find("nan") == std::string::npos);
  CHECK(svg.find("inf") == std::string::npos);
  // Nothing to show is a chart all the same.
  CHECK_THAT(toSvg({"empty", "x", "y", true, true, {}}), Contains("</svg>"));
}

TEST_CASE("tactus validate prints JSON, writes its page and says its verdict by the exit code", "[server][cli]") {
  const std::string page =
      (std::filesystem::temp_directory_path() / ("tactus_" + std::to_string(::getpid()) + "_validate.html")).string();
  const auto command = [](const std::string& arguments) {
    const tests::Outcome outcome =
        tests::runCommand("validate double_pendulum --until 200ms --step 10ms --json " + arguments, addValidateCommand);
    return std::pair(outcome.exit_code, outcome.out);
  };
  const auto [trusted, text] = command("--against bathe --report " + page);
  CHECK(trusted == kExitOk);
  const auto json = nlohmann::json::parse(text);
  CHECK(json["trusted"] == true);
  CHECK(json["rows"].size() == 6);
  CHECK(json["rows"][3]["method"] == "bathe");
  CHECK(std::filesystem::file_size(page) > 5000);
  std::filesystem::remove(page);
  CHECK(command("--against bathe --tol 1e-8").first == kExitFinding);
  CHECK(command("--against nothing_like_it").first == kExitUsage);
}
