#include "server/report/line_chart.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <string>

using namespace tactus::server;
using Catch::Matchers::Contains;

TEST_CASE("a chart omits values that its axes cannot show", "[server][report]") {
  const std::string svg =
      toSvg({"t", "x", "y", false, true, {{"line", {0, 1, 2, 3}, {0, 1e-6, std::nan(""), 1e-3}, LineKind::kPoints}}});
  std::size_t dots = 0;
  for (std::size_t at = svg.find("<circle"); at != std::string::npos; at = svg.find("<circle", at + 1)) ++dots;
  CHECK(dots == 2);
  CHECK(svg.find("nan") == std::string::npos);
  CHECK(svg.find("inf") == std::string::npos);
  CHECK_THAT(svg, Contains(">10\u207b\u2076<") && Contains(">10\u207b\u00b3<"));
  // Nothing to show is a chart all the same.
  CHECK_THAT(toSvg({"empty", "x", "y", true, true, {}}), Contains("</svg>"));
}
