#include "server/model_io/data_word.h"

#include <catch2/catch.hpp>

using namespace tactus::server;

TEST_CASE("words of data files lose blanks, change their case and are cut for errors", "[server][model_io]") {
  CHECK(lowerCase("NCols") == "ncols");
  CHECK(upperCase("[units]") == "[UNITS]");
  CHECK(withoutBlanks(" \t 1.5 \r\n") == "1.5");
  CHECK(withoutBlanks(" \t ").empty());
  CHECK(shortWord(std::string(200, 'x')).size() < 50);
}

TEST_CASE("a number of a data file is the whole word and finite", "[server][model_io]") {
  CHECK(finiteNumber("+1.5e3") == 1500);
  CHECK(fortranNumber("-1.5D3") == -1500);
  for (const char* word : {"", "+", "1.5D3", "1.5x", " 1", "inf", "nan", "1e999"}) {
    CAPTURE(word);
    CHECK(!finiteNumber(word));
  }
  CHECK(!fortranNumber("D"));
}
