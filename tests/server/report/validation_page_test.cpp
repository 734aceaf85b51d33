#include "server/report/validation_page.h"
#include "rt/model/model.h"
#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <string>

using namespace tactus;
using namespace tactus::server;
using Catch::Matchers::Contains;

TEST_CASE("the page of a validation is self-contained", "[server][report]") {
  const rt::Model model = rt::buildModel(tests::doublePendulum());
  ValidationOptions options;
  options.step_ns = 10'000'000;
  options.until_ns = 200'000'000;
  options.against = {"lms2", "ali3p-literal"};
  const std::atomic<bool> never{false};
  ValidationReport report = validate(model, options, never, [](const std::string&) {});
  // As of a method whose first step failed.
  for (ValidationRow& row : report.rows)
    if (row.method == "lms2") row.failure = "lms2 stopped at t = 0 s";
  for (SignalError& signal : report.signals) signal.errors.back() = std::nan("");
  const std::string page = toHtml("a <b> & c", {"tactus validate x", "Made on 2026-11-23"}, report);
  CHECK_THAT(page, Contains("a &lt;b&gt; &amp; c"));
  CHECK_THAT(page, Contains("can be trusted"));
  for (const char* outside : {"http", "<script", "src=", "<link"}) CHECK(page.find(outside) == std::string::npos);
  std::size_t charts = 0;
  for (std::size_t at = page.find("<svg"); at != std::string::npos; at = page.find("<svg", at + 1)) ++charts;
  CHECK(charts == 5);
  CHECK_THAT(page, Contains("Made on 2026-11-23") && Contains("lms2 stopped at t = 0 s"));
  // A method that failed has no figures.
  CHECK_THAT(page, Contains("<td>lms2</td><td>10</td><td>failed</td><td></td>"));
  CHECK_THAT(page, Contains("<td>failed</td></tr>"));
  for (const JudgedError& e : report.judged) CHECK_THAT(page, Contains("<td>" + e.name + "</td>"));
  CHECK(page.find("nan") == std::string::npos);
}
