// The angle primitive.
#include "rt/mechanics/primitives/angle.h"

#include "tests/rt/mechanics/primitives/primitive_case.h"

#include <catch2/catch.hpp>

using namespace tactus;
using namespace tactus::tests;

TEST_CASE("the angle primitive agrees with differences: Jacobian, gamma, stiffness, derivatives",
          "[rt][mechanics][primitives]") {
  checkPrimitive(rt::PrimitiveKind::kAngle);
}

TEST_CASE("an angle counts its turns", "[rt][mechanics][primitives]") {
  checkTurns(rt::PrimitiveKind::kAngle, {1});
}
