// Vectors fixed in bodies: values, rates and derivatives.
#include "rt/mechanics/primitives/body_fixed_vector.h"

#include "tests/rt/mechanics/primitives/primitive_case.h"

#include <catch2/catch.hpp>

using namespace tactus;
using namespace tactus::tests;

TEST_CASE("the distance of two points and its rate agree with differences", "[rt][mechanics][primitives]") {
  std::mt19937 random(105);
  const PrimitiveCase c = randomCase(rt::PrimitiveKind::kPoint, false, random);
  const rt::BodyFixedVector d = rt::distanceOf(c.primitive, c.motions.data());
  const rt::BodyMotion &b1 = c.motions[0], &b2 = c.motions[1];
  const rt::Vector3d s_1 = b1.R * c.primitive.s_1, s_2 = b2.R * c.primitive.s_2;
  CHECK((d.value - (b2.r + s_2 - b1.r - s_1)).norm() < 1e-14);  // round-off
  // The rate is linear in the velocities, with the derivative of the value as its matrix.
  Eigen::Matrix<double, 12, 1> velocity;
  velocity << b1.v, b1.omega_w, b2.v, b2.omega_w;
  CHECK((d.by_position * velocity - d.rate).norm() < 1e-13);  // round-off
}
