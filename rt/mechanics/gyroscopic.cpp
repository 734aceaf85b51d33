#include "rt/mechanics/gyroscopic.h"

#include "rt/math/skew.h"
#include "rt/math/spectral_radius.h"

#include <Eigen/Cholesky>

#include <algorithm>

namespace tactus::rt {

double gyroscopicContraction(const Body& body, const Vector3d& omega, double dt) {
  const Matrix3d torque_by_rate = skew(omega) * body.inertia - skew(body.inertia * omega);
  return spectralRadius3(0.5 * dt * body.inertia.llt().solve(torque_by_rate));
}

double largestGyroscopicContraction(const Model& model, double dt) {
  double largest = 0;
  for (const InitialCondition& condition : model.initial_conditions)
    for (std::size_t i = 0; i < model.bodies.size(); ++i)
      largest = std::max(largest, gyroscopicContraction(model.bodies[i], condition.angular_velocity[i], dt));
  return largest;
}

}  // namespace tactus::rt
