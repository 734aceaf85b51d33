#include "rt/model/check_model.h"

#include <catch2/catch.hpp>

using tactus::rt::nearestName;

TEST_CASE("the nearest name is the one with the fewest edits", "[rt][model]") {
  const std::vector<std::string> known = {"mass", "inertia", "position", "orientation"};
  REQUIRE(nearestName("masss", known) == "mass");
  REQUIRE(nearestName("inertai", known) == "inertia");
  REQUIRE(nearestName("postion", known) == "position");
  REQUIRE(nearestName("orientaton", known) == "orientation");
  REQUIRE(nearestName("mass", known) == "mass");
  REQUIRE(nearestName("rho", {"rtol", "rho_inf"}) == "rho_inf");  // not finished, not misspelt
}

TEST_CASE("a name that is near to nothing has no nearest one", "[rt][model]") {
  const std::vector<std::string> known = {"mass", "inertia", "a"};
  REQUIRE(nearestName("velocity", known).empty());
  REQUIRE(nearestName("", known).empty());
  REQUIRE(nearestName("z", known).empty());  // every letter of "a" would have to change
  REQUIRE(nearestName(std::string(1 << 20, 'x'), {std::string(1 << 20, 'y')}).empty());
  REQUIRE(nearestName("mass", {}).empty());
}
