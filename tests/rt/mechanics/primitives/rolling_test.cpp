// The rolling primitive.
#include "rt/mechanics/primitives/rolling.h"

#include "tests/rt/mechanics/primitives/primitive_case.h"

#include <catch2/catch.hpp>

using namespace tactus;
using namespace tactus::tests;

TEST_CASE("the rolling primitive agrees with differences: Jacobian, gamma, stiffness, derivatives",
          "[rt][mechanics][primitives]") {
  checkPrimitive(rt::PrimitiveKind::kRolling);
}

TEST_CASE("racks and screws count their turns", "[rt][mechanics][primitives]") {
  checkTurns(rt::PrimitiveKind::kRolling, {-0.7});
}
