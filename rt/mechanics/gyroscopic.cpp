#include "rt/mechanics/gyroscopic.h"

#include "rt/math/cholesky.h"
#include "rt/math/skew.h"
#include "rt/math/spectral_radius.h"
#include "rt/math/symmetric_eigen.h"
#include "rt/model/model.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tactus::rt {

double gyroscopicContraction(const Body& body, const Vector3d& omega, double dt) noexcept {
  const Matrix3d torque_by_rate = skew(omega) * body.inertia - skew(body.inertia * omega);
  return spectralRadius3(0.5 * dt * choleskySolve3(body.inertia, torque_by_rate));
}

double gyroscopicBound(const Body& body) {
  // In principal axes J^-1 ([omega] J - [J omega]) is diag(a) B with a_1 = (J_3 - J_2) / J_1 and cyclic, and a
  // symmetric B that has each component of omega twice: its norm is at most max |a| sqrt(2) |omega|.
  const Vector3d J = symmetricEigen3(body.inertia).values;
  double largest = 0;
  for (int i = 0; i < 3; ++i) largest = std::max(largest, std::abs(J[(i + 2) % 3] - J[(i + 1) % 3]) / J[i]);
  return 0.5 * std::numbers::sqrt2 * largest;
}

double largestGyroscopicContraction(const Model& model, double dt) {
  double largest = 0;
  for (const InitialCondition& condition : model.initial_conditions)
    for (std::size_t i = 0; i < model.bodies.size(); ++i)
      largest = std::max(largest, gyroscopicContraction(model.bodies[i], condition.angular_velocity[i], dt));
  return largest;
}

}  // namespace tactus::rt
