#include "proto/text/linear_report.h"

#include <catch2/catch.hpp>

using namespace tactus;

TEST_CASE("a matrix reads with the names of its rows and columns, a large one by its size", "[proto][text]") {
  const auto value = [](int r, int c) { return 10.5 * r + c; };
  CHECK(text::matrixText("A", {"x", "speed"}, {"u", "v"}, value, "--json prints it") ==
        "A         u     v\n"
        "x         0     1\n"
        "speed  10.5  11.5\n\n");
  CHECK(text::matrixText("D", {"x"}, {}, value, "").empty());
  CHECK(text::matrixText("D", {}, {"u"}, value, "").empty());
  const std::vector<std::string> many(21, "x"), few(10, "x");
  CHECK(text::matrixText("B", many, few, value, "--json prints it") == "B: 21 x 10; --json prints it\n");
  CHECK(text::matrixText("B", few, std::vector<std::string>(11, "u"), value, "look") == "B: 10 x 11; look\n");
  CHECK(text::matrixText("B", {many.begin(), many.begin() + 20}, few, value, "").find("9\n") != std::string::npos);
}

TEST_CASE("modes read as a table, a rigid motion without frequency, and what is left out is counted", "[proto][text]") {
  const double turn = 6.283185307179586;
  const std::vector<text::ModeRow> modes = {{"rigid motion", 0, 0, 0, 0, {}},
                                            {"oscillation", 2 * turn, 0.25, -1, 3, {}}};
  CHECK(text::modesText(modes, 2) ==
        "mode  kind          frequency Hz  damping  real 1/s  imaginary 1/s\n"
        "   1  rigid motion                                0              0\n"
        "   2  oscillation              2     0.25        -1              3\n");
  const std::string one = text::modesText({{"decay", 1, 1, -1, 0, "wheel.r.z"}, modes[1]}, 1);
  CHECK(one.find("moves most") != std::string::npos);
  CHECK(one.find("wheel.r.z") != std::string::npos);
  CHECK(one.find("oscillation") == std::string::npos);
  CHECK(one.find("1 of 2 modes; --count shows more") != std::string::npos);
}
