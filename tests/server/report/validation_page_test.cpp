#include "server/report/validation_page.h"
#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>

#include <string>

using namespace tactus;
using namespace tactus::server;
using Catch::Matchers::Contains;

TEST_CASE("the page of a validation is self-contained", "[server][report]") {
  const rt::Model model = rt::buildModel(tests::doublePendulum());
  ValidationOptions options;
  options.step_ns = 10'000'000;
  options.until_ns = 200'000'000;
  options.against = {"lms2"};
  const std::atomic<bool> never{false};
  const ValidationReport report = validate(model, options, never, [](const std::string&) {});
  const std::string page = toHtml("a <b> & c", "tactus validate x", report);
  CHECK_THAT(page, Contains("a &lt;b&gt; &amp; c"));
  CHECK_THAT(page, Contains("can be trusted"));
  for (const char* outside : {"http", "<script", "src=", "<link"}) CHECK(page.find(outside) == std::string::npos);
  std::size_t charts = 0;
  for (std::size_t at = page.find("<svg"); at != std::string::npos; at = page.find("<svg", at + 1)) ++charts;
  CHECK(charts == 4);
  CHECK(page.find("nan") == std::string::npos);
}
