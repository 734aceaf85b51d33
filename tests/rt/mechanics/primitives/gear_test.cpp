// The gear primitive.
// Covers: rt/mechanics/primitives/primitive.h, rt/mechanics/primitives/primitives.h, rt/mechanics/primitives/row.h
#include "rt/mechanics/primitives/gear.h"

#include "tests/rt/mechanics/primitives/primitive_case.h"

#include <catch2/catch.hpp>

using namespace tactus;
using namespace tactus::tests;

TEST_CASE("the gear primitive agrees with differences: Jacobian, gamma, stiffness, derivatives",
          "[rt][mechanics][primitives]") {
  checkPrimitive(rt::PrimitiveKind::kGear);
}

TEST_CASE("a gear counts the turns of both wheels", "[rt][mechanics][primitives]") {
  checkTurns(rt::PrimitiveKind::kGear, {0.7, -1.9});
}
