#include "proto/text/json_text.h"

#include <catch2/catch.hpp>

using tactus::text::jsonText;

TEST_CASE("JSON keeps the order of its keys, is indented by two blanks and ends its last line", "[proto][text]") {
  nlohmann::ordered_json json;
  json["second"] = 2;
  json["first"] = 1;
  CHECK(jsonText(json) == std::string("{\n  \"second\": 2,\n  \"first\": 1\n}\n"));
}

TEST_CASE("a byte that is not UTF-8 becomes the replacement character", "[proto][text]") {
  CHECK(jsonText("\xff") == "\"\xEF\xBF\xBD\"\n");
}
