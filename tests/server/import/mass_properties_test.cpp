// Covers: server/import/placements.cpp
#include "server/import/mass_properties.h"

#include "server/import/placements.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace tactus::server;
using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

/// Mass properties of a shape of density 1 by summing small cubes. @param inside  whether a point is in the shape
template <class Inside>
MassProperties summed(double half, int cells, Inside inside) {
  MassProperties sum;
  const double side = 2 * half / cells;
  Matrix3d second = Matrix3d::Zero();
  for (int i = 0; i < cells; ++i)
    for (int j = 0; j < cells; ++j)
      for (int k = 0; k < cells; ++k) {
        const Vector3d p = side * Vector3d(i + 0.5, j + 0.5, k + 0.5) - Vector3d::Constant(half);
        if (!inside(p)) continue;
        sum.mass += side * side * side;
        second += side * side * side * (p.squaredNorm() * Matrix3d::Identity() - p * p.transpose());
      }
  sum.inertia = second;
  return sum;
}

}  // namespace

TEST_CASE("shapes have the inertia of their cubes", "[server][import]") {
  // Tolerances: the surface of the shapes against 80 cubes along an axis; a cube is 1/40 wide, the capsule 0.8.
  const auto capsule = summed(1, 80, [](const Vector3d& p) {
    const double above = std::max(std::abs(p[2]) - 0.5, 0.0);
    return p[0] * p[0] + p[1] * p[1] + above * above < 0.16;
  });
  CHECK(capsuleVolume(0.4, 1) == Approx(capsule.mass).epsilon(1.5e-2));
  CHECK((capsuleMass(capsule.mass, 0.4, 1).inertia - capsule.inertia).norm() < 2e-2 * capsule.inertia.norm());

  const auto ellipsoid =
      summed(1, 80, [](const Vector3d& p) { return p.cwiseQuotient(Vector3d(0.9, 0.5, 0.3)).squaredNorm() < 1; });
  CHECK(ellipsoidVolume({0.9, 0.5, 0.3}) == Approx(ellipsoid.mass).epsilon(5e-3));
  CHECK((ellipsoidMass(ellipsoid.mass, {0.9, 0.5, 0.3}).inertia - ellipsoid.inertia).norm() <
        1e-2 * ellipsoid.inertia.norm());
}

TEST_CASE("a box of two halves is the sum of the halves", "[server][import]") {
  const MassProperties half = boxMass(1, {1, 2, 3});
  const MassProperties both =
      half.in({{-0.5, 0, 0}, Matrix3d::Identity()}) + half.in({{0.5, 0, 0}, Matrix3d::Identity()});
  const MassProperties whole = boxMass(2, {2, 2, 3});
  CHECK(both.mass == 2);
  CHECK((both.inertia - whole.inertia).norm() < 1e-14);  // round-off
  CHECK(whole.momentAbout({0, 1, 0}, Vector3d::UnitX()) ==
        Approx(2.0 / 12 * (4 + 9) + 2).epsilon(1e-14));  // parallel axis; round-off
}

TEST_CASE("a thin inertia is balanced and any other one is kept", "[server][import]") {
  const Matrix3d broken = Vector3d(1, 2, 4).asDiagonal();
  const Matrix3d balanced = Vector3d(2, 2, 4).asDiagonal();
  CHECK((balancedInertia(broken) - balanced).norm() < 1e-14);  // round-off
  CHECK(balancedInertia(balanced) == balanced);
}

TEST_CASE("Euler angles turn about moving and about fixed axes", "[server][import]") {
  const double quarter = std::numbers::pi / 2;
  // About x, then about the new z, which is -y: x goes to z ... and about the old z: x goes to y.
  const Matrix3d moving = eulerRotation("xyz", {quarter, 0, quarter});
  const Matrix3d fixed = eulerRotation("XYZ", {quarter, 0, quarter});
  CHECK((moving * Vector3d::UnitX() - Vector3d::UnitZ()).norm() < 1e-15);                         // round-off
  CHECK((fixed * Vector3d::UnitX() - Vector3d::UnitY()).norm() < 1e-15);                          // round-off
  CHECK((rollPitchYaw({0.1, 0.2, 0.3}) - eulerRotation("zyx", {0.3, 0.2, 0.1})).norm() < 1e-15);  // round-off
  CHECK((rotationFromZ({0, 3, 0}) * Vector3d::UnitZ() - Vector3d::UnitY()).norm() < 1e-15);       // round-off
}
