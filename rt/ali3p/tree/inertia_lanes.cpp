#include "rt/ali3p/tree/inertia_lanes.h"

#include "rt/ali3p/tree/four_bodies.h"
#include "rt/model/model.h"

#include <immintrin.h>

namespace tactus::rt {

namespace {

using Quad = FourBodies::Scalar;
using QuadVector3 = FourBodies::Vector3;
using QuadMatrix3 = FourBodies::Matrix3;

TACTUS_INLINE QuadMatrix3 matrixOf(const Quad* numbers) noexcept {
  QuadMatrix3 m;
  for (int k = 0; k < 9; ++k) m.data()[k] = numbers[k];
  return m;
}

TACTUS_INLINE Quad fused(const Quad& a, const Quad& b, const Quad& c) noexcept {
  return Quad(Quad::Vector(_mm256_fmadd_pd(a.vector(), b.vector(), c.vector())));
}

/// m v with the bits of inertiaTorque() of mechanics/mass_matrix.h: Eigen fuses products and sums of the first two rows
/// of doubles, and none of the last row.
TACTUS_INLINE QuadVector3 rowByRow(const QuadMatrix3& m, const QuadVector3& v) noexcept {
  const auto fusedRow = [&](int r) noexcept { return fused(m(r, 2), v[2], fused(m(r, 1), v[1], m(r, 0) * v[0])); };
  return {fusedRow(0), fusedRow(1), m(2, 0) * v[0] + (m(2, 1) * v[1] + m(2, 2) * v[2])};
}

}  // namespace

void loadsLessInertia(const Model& model, const TreeIterate& iterate, const TreeLoads& loads,
                      double* right_sides) noexcept {
  const QuadVector3 gravity = model.gravity.cast<Quad>();
  for (std::size_t i = 0; i < iterate.share.moved.size(); i += FourBodies::kLanes) {
    const FourBodies bodies(iterate.share.moved, i);
    Quad body[kBodyNumbers], R[9], a[4], rates[6], load[kLoadNumbers];
    bodies.read(numbersOf(model.bodies), kBodyNumbers, 0, body);
    bodies.read(numbersOf(iterate.motions), kMotionNumbers, kMotionRotation, R);
    bodies.read(numbersOf(iterate.motions), kMotionNumbers, kMotionA, a);
    bodies.read(numbersOf(iterate.rotations), kRotationStride, kRates, rates);
    bodies.read(numbersOf(loads.bodies), kLoadNumbers, 0, load);
    // ali3p (7), (8)
    Quad rest[6];
    put(QuadVector3(QuadVector3(load) - body[0] * (QuadVector3(a) - gravity)), rest);
    const QuadMatrix3 J = matrixOf(body + 1);
    const QuadVector3 omega(rates), momentum = rowByRow(J, omega), change = rowByRow(J, QuadVector3(rates + 3));
    put(QuadVector3(QuadVector3(load + 3) - rowByRow(matrixOf(R), change + omega.cross(momentum))), rest + 3);
    bodies.write(rest, right_sides, 6, 0);
  }
}

}  // namespace tactus::rt
