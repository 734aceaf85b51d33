// The point primitive.
// Covers: rt/mechanics/joint_constraints.cpp, rt/mechanics/row_derivatives.cpp, rt/mechanics/body_fixed.h
#include "rt/mechanics/primitives/point.h"

#include "tests/rt/mechanics/primitives/primitive_case.h"

#include <catch2/catch.hpp>

using namespace tactus;
using namespace tactus::tests;

TEST_CASE("the point primitive agrees with differences: Jacobian, gamma, stiffness, derivatives",
          "[rt][mechanics][primitives]") {
  checkPrimitive(rt::PrimitiveKind::kPoint);
}
