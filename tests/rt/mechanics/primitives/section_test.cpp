// Covers: rt/mechanics/primitives/section.cpp
#include "rt/mechanics/primitives/section.h"

#include "tests/rt/mechanics/primitives/primitive_case.h"

#include <catch2/catch.hpp>

using namespace tactus;
using namespace tactus::tests;

TEST_CASE("the section primitive agrees with differences: Jacobian, gamma, derivatives",
          "[rt][mechanics][primitives]") {
  // It has no geometric stiffness in the tick.
  checkJacobian(rt::PrimitiveKind::kSection);
  checkGamma(rt::PrimitiveKind::kSection);
  checkReactionDerivative(rt::PrimitiveKind::kSection);
  checkRowDerivatives(rt::PrimitiveKind::kSection);
}
