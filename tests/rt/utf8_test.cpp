#include "rt/utf8.h"

#include <catch2/catch.hpp>

#include <string>

using tactus::rt::characterAt;
using tactus::rt::cutText;
using tactus::rt::validText;

TEST_CASE("a text is cut between characters", "[rt]") {
  const std::string text = "a\u00e9\u20ac\U0001f600";  // 1, 2, 3 and 4 bytes
  REQUIRE(text.size() == 10);
  const std::size_t ends[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10};
  for (std::size_t bytes = 0; bytes <= 10; ++bytes) {
    CHECK(cutText(text, bytes).size() == ends[bytes]);
    CHECK(validText(cutText(text, bytes)) == cutText(text, bytes));
  }
  CHECK(cutText(text, 100) == text);
}

TEST_CASE("bytes that are no character become question marks", "[rt]") {
  CHECK(validText("plain \u20ac") == "plain \u20ac");
  CHECK(validText("\xc3") == "?");                 // the second byte is missing
  CHECK(validText("\x80z") == "?z");               // a second byte without a first one
  CHECK(validText("\xc0\xaf") == "??");            // '/' in two bytes
  CHECK(validText("\xed\xa0\x80") == "???");       // a surrogate
  CHECK(validText("\xf4\x90\x80\x80") == "????");  // above U+10FFFF
  CHECK(validText("\xf0\x9f\x98\x80").size() == 4);
  CHECK(characterAt("\xff") == 0);
}
