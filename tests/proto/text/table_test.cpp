#include "proto/text/table.h"

#include <catch2/catch.hpp>

using tactus::text::Table;

TEST_CASE("columns are as wide as their widest cell and lines end without blanks", "[proto][text]") {
  Table table({"name", "value", "note"}, "lrl");
  table.add({"a", "1.5", "short"});
  table.add({"long name", "-10.25", ""});
  CHECK(table.text() ==
        "name        value  note\n"
        "a             1.5  short\n"
        "long name  -10.25\n");
}

TEST_CASE("a table without rows is its header", "[proto][text]") {
  CHECK(Table({"phase", "count"}, "lr").text() == "phase  count\n");
}
