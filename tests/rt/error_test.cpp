#include "rt/error.h"

#include <catch2/catch.hpp>

using namespace tactus::rt;

TEST_CASE("the text of a model error has one line for each finding: place, value, rule, hint", "[rt]") {
  const ModelError error({{Severity::kError, "bodies[0].mass", "-1", "must be above zero", "give it in kg"},
                          {Severity::kWarning, "name", "''", "must not be empty", ""}});
  CHECK(std::string(error.what()) ==
        "bodies[0].mass = -1: must be above zero (give it in kg)\nname = '': must not be empty");
  REQUIRE(error.findings().size() == 2);
  CHECK(error.findings()[1].path == "name");
}

TEST_CASE("a model error is caught as an error of Tactus and as a runtime error", "[rt]") {
  CHECK_THROWS_AS(throw ModelError(std::vector<Finding>{}), tactus::Error);
  CHECK_THROWS_AS(throw ModelError(std::vector<Finding>{}), std::runtime_error);
}
