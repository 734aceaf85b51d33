#include "clients/cli/live_screen.h"

#include <catch2/catch.hpp>

using tactus::client::fitted;

TEST_CASE("a text that is higher than the window ends with the number of lines left out", "[clients][cli]") {
  const std::string text = "a\nb\nc\nd\n";
  CHECK(fitted(text, 4) == text);
  CHECK(fitted(text, 3) == "a\nb\n... 2 more lines; make the window larger\n");
  CHECK(fitted(text, 2) == "a\n... 3 more lines; make the window larger\n");
  CHECK(fitted(text, 0) == text);  // of a window whose height is not known
}
