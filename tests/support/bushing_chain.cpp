#include "tests/support/bushing_chain.h"

#include "tests/support/mechanisms.h"

namespace tactus::tests {

using rt::Vector3d;

rt::ModelSpec cantileverOfBushings(int n) {
  const double L = 1.0 / n, h = 0.016, E = 2.1e11, G = 8.1e10, rho = 7850;
  const double A = h * h, I = A * h * h / 12, Jt = 0.141 * A * A;
  rt::ModelSpec spec;
  spec.name = "cantilever";
  spec.gravity = Vector3d(0, 0, -9.81);
  for (int i = 1; i <= n; ++i) {
    rt::BodySpec body = makeBody(numbered("node_", static_cast<std::size_t>(i)), {i * L, 0, 0});
    const double length = i == n ? L / 2 : L;
    body.mass = rho * A * length;
    body.inertia = rho * length * Vector3d(2 * I, I, I).asDiagonal();
    spec.bodies.push_back(body);
    rt::BushingSpec bushing;
    bushing.body_1 = i == 1 ? rt::kGroundName : spec.bodies[static_cast<std::size_t>(i - 2)].name;
    bushing.body_2 = body.name;
    bushing.point_1 = {L / 2, 0, 0};
    bushing.point_2 = {-L / 2, 0, 0};
    Eigen::VectorXd k(6);
    k << E * A, G * A * 5 / 6, G * A * 5 / 6, G * Jt, E * I, E * I;
    bushing.stiffness = (k / L).asDiagonal();
    bushing.damping = Eigen::MatrixXd::Zero(6, 6);
    rt::ForceSpec force;
    force.name = numbered("bushing_", static_cast<std::size_t>(i));
    force.kind = bushing;
    spec.forces.push_back(force);
  }
  return spec;
}

}  // namespace tactus::tests
