#include "rt/ali3p/tree/inertia_lanes.h"

#include "rt/ali3p/inertia_gain.h"
#include "rt/ali3p/stiffness_limit_lanes.h"
#include "rt/ali3p/tree/four_bodies.h"
#include "rt/math/symmetric3.h"
#include "rt/model/model.h"

#include <immintrin.h>

namespace tactus::rt {

namespace {

using Quad = FourBodies::Scalar;
using QuadVector3 = FourBodies::Vector3;
using QuadVector4 = FourBodies::Vector4;
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

int formInertias(const Model& model, double dt, double least_gain, const TreeIterate& iterate,
                 TreeTangent& tangent) noexcept {
  constexpr int kLanes = FourBodies::kLanes;
  const Quad scale(0.25 * dt * dt);
  const TreeShare& share = iterate.share;
  int limited = 0;
  bool has_gain = false;
  for (std::size_t i = 0; i < share.moved.size(); i += kLanes) {
    const FourBodies bodies(share.moved, i);
    Quad body[kBodyNumbers], R[9], stiffness[9], rotation[16], inertia[10];
    bodies.read(numbersOf(model.bodies), kBodyNumbers, 0, body);
    bodies.read(numbersOf(iterate.motions), kMotionNumbers, kMotionRotation, R);
    bodies.read(numbersOf(tangent.stiffness), 9, 0, stiffness);
    bodies.read(numbersOf(iterate.rotations), kRotationStride, 0, rotation);
    const Quad gain = inertiaGain<Quad>(dt, least_gain, QuadVector4(rotation + kP), QuadVector4(rotation + kPPrev),
                                        QuadVector4(rotation + kDrift));
    const Symmetric3<Quad> of_body = Symmetric3<Quad>::lowerOf(matrixOf(body + 1));
    const Symmetric3<Quad> J = (Quad(1.0) + gain) * rotated(matrixOf(R), of_body);
    const Symmetric3<Quad> K = scale * Symmetric3<Quad>::lowerOf(matrixOf(stiffness));
    Symmetric3<Quad> J_hat = J + K;  // ali3p (9)
    double of_lanes[kLanes] = {};
    limit<kLanes>(J, K, J_hat, of_lanes);  // ali3p (11)
    for (std::size_t lane = 0; lane < kLanes && i + lane < share.moved.size(); ++lane) {
      has_gain = has_gain || gain[static_cast<int>(lane)] > 0;
      limited += i + lane < share.own_bodies && of_lanes[lane] > 0 ? 1 : 0;
    }
    inertia[0] = body[0];
    put(J_hat.full(), inertia + 1);
    bodies.write(inertia, numbersOf(tangent.bodies), kTangentNumbers, 0);
  }
  tangent.has_inertia_gain = has_gain;
  return limited;
}

void invertInertias(double scale, const TreeIterate& iterate, TreeTangent& tangent) noexcept {
  for (std::size_t i = 0; i < iterate.share.moved.size(); i += FourBodies::kLanes) {
    const FourBodies bodies(iterate.share.moved, i);
    Quad inertia[10], inverse[10];
    bodies.read(numbersOf(tangent.bodies), kTangentNumbers, 0, inertia);
    const Symmetric3<Quad> J_hat = Symmetric3<Quad>::lowerOf(matrixOf(inertia + 1));
    inverse[0] = Quad(scale) / inertia[0];  // ali3p (9)
    put((Quad(scale) / J_hat.determinant() * J_hat.adjugate()).full(), inverse + 1);
    bodies.write(inverse, numbersOf(tangent.bodies), kTangentNumbers, kInverse);
  }
}

}  // namespace tactus::rt
