#include "rt/mechanics/row_laws.h"

#include <Eigen/Cholesky>

namespace tactus::rt {

void compliantForce(const Compliance& law, const double* phi, const double* rate, double* lambda) noexcept {
  for (int r = 0; r < law.rows; ++r) {
    double sum = law.preload[r];
    for (int c = 0; c < law.rows; ++c) sum += law.K(r, c) * (phi[c] - law.rest[c]) + law.C(r, c) * rate[c];
    lambda[r] = sum;
  }
}

double storedEnergy(const Compliance& law, const double* phi) noexcept {
  double sum = 0;
  for (int r = 0; r < law.rows; ++r) {
    const double x = phi[r] - law.rest[r];
    sum += law.preload[r] * x;
    for (int c = 0; c < law.rows; ++c) sum += 0.5 * x * law.K(r, c) * (phi[c] - law.rest[c]);
  }
  return sum;
}

double dissipatedPower(const Compliance& law, const double* rate) noexcept {
  double sum = 0;
  for (int r = 0; r < law.rows; ++r)
    for (int c = 0; c < law.rows; ++c) sum += rate[r] * law.C(r, c) * rate[c];
  return sum;
}

Matrix6d stepCompliance(const Compliance& law, double dt) noexcept {
  Matrix6d stiffness = law.K + (2.0 / dt) * law.C;
  // Rows beyond the law's own do not couple to them.
  for (int r = law.rows; r < 6; ++r) stiffness(r, r) = 1.0;
  return stiffness.llt().solve(Matrix6d::Identity());
}

void evaluateJointRows(const Model& model, const Joint& joint, const BodyMotion* motions, const double* coordinates,
                       double* phi, RowJacobian* jacobian) noexcept {
  for (int i = 0; i < joint.primitive_count; ++i) {
    const Primitive& p = model.primitives[static_cast<std::size_t>(joint.first_primitive + i)];
    const int at = p.row - joint.first_row;
    evaluateRows(p, motions, phi + at, jacobian + at);
    if (p.coordinate >= 0) phi[at] = unwrapAngle(phi[at], coordinates[p.coordinate]);
  }
}

}  // namespace tactus::rt
