#include "server/batch/tolerances.h"
#include "rt/error.h"

#include <catch2/catch.hpp>

using namespace tactus::server;
using Catch::Matchers::Contains;

TEST_CASE("tolerances are set by kind, or all at once", "[server][batch]") {
  Tolerances tolerances;
  Tolerances all;
  all.set("all=0.005");
  CHECK(all.text() == tolerances.text());  // the defaults
  tolerances.set("reaction=0.2");
  CHECK(tolerances.of(Kind::kReaction) == 0.2);
  CHECK(tolerances.of(Kind::kPosition) == Tolerances().of(Kind::kPosition));
  tolerances.set("all=1e-4");
  CHECK(tolerances.of(Kind::kRotation) == 1e-4);
  CHECK(tolerances.of(Kind::kEnergy) == Approx(2e-4));
  CHECK(tolerances.of(Kind::kVelocity) == Approx(5e-4));
  CHECK(tolerances.of(Kind::kLoad) == Approx(4e-4));
  CHECK_THAT(tolerances.text(), Contains("position=0.0001 ") && Contains(" sensor=0.0004 "));
  CHECK_THROWS_WITH(tolerances.set("colour=0.1"), Contains("'colour' is not known; there are position,"));
  for (const char* bad : {"position", "position=", "position=2", "position=1e-10", "position=nan", "=0.1x"})
    CHECK_THROWS_AS(tolerances.set(bad), tactus::Error);
}
