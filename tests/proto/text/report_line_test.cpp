#include "proto/text/report_line.h"

#include <catch2/catch.hpp>

using tactus::text::counted;
using tactus::text::reportLine;

TEST_CASE("the text of a report line begins in column 20, behind a longer label at once", "[proto][text]") {
  CHECK(reportLine("ticks", "{} of {}", 3, 5) == "ticks               3 of 5\n");
  CHECK(reportLine("a label of 21 letters", "{}", 1) == "a label of 21 letters1\n");
}

TEST_CASE("a count of one has its noun in the singular", "[proto][text]") {
  CHECK(counted(0, "body", "bodies") == "0 bodies");
  CHECK(counted(1, "body", "bodies") == "1 body");
  CHECK(counted(std::size_t{12}, "body", "bodies") == "12 bodies");
}
