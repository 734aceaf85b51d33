// The length primitive.
#include "rt/mechanics/primitives/length.h"

#include "tests/rt/mechanics/primitives/primitive_case.h"

#include <catch2/catch.hpp>

using namespace tactus;
using namespace tactus::tests;

TEST_CASE("the length primitive agrees with differences: Jacobian, gamma, stiffness, derivatives",
          "[rt][mechanics][primitives]") {
  checkPrimitive(rt::PrimitiveKind::kLength);
}

TEST_CASE("a length that is zero keeps a direction and finite rows", "[rt][mechanics][primitives]") {
  rt::Primitive p{};
  p.kind = rt::PrimitiveKind::kLength;
  p.body_1 = 0;
  p.body_2 = 1;
  p.s_1 = p.s_2 = p.a_1 = p.a_2 = rt::Vector3d::Zero();
  const rt::BodyMotion motions[2] = {};
  double phi, gamma;
  rt::RowJacobian row;
  rt::evaluateRows(p, motions, &phi, &row);
  rt::evaluateGamma(p, motions, &gamma);
  CHECK(phi == rt::kShortestLength);
  CHECK(gamma == 0);
  for (const auto& side : row.h)
    for (const double h : side) CHECK(h == 0);
}
