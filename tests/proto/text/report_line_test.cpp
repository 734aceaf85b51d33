#include "proto/text/report_line.h"

#include <catch2/catch.hpp>

using tactus::text::reportLine;

TEST_CASE("the text of a report line begins in column 20, behind a longer label at once", "[proto][text]") {
  CHECK(reportLine("ticks", "{} of {}", 3, 5) == "ticks               3 of 5\n");
  CHECK(reportLine("a label of 21 letters", "{}", 1) == "a label of 21 letters1\n");
}
