// The dot-2 primitive.
#include "rt/mechanics/primitives/dot_2.h"

#include "tests/rt/mechanics/primitives/primitive_case.h"

#include <catch2/catch.hpp>

using namespace tactus;
using namespace tactus::tests;

TEST_CASE("the dot-2 primitive agrees with differences: Jacobian, gamma, stiffness, derivatives",
          "[rt][mechanics][primitives]") {
  checkPrimitive(rt::PrimitiveKind::kDot2);
}
