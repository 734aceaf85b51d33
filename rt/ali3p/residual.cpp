#include "rt/ali3p/residual.h"

#include "rt/mechanics/actuators.h"
#include "rt/mechanics/mass_matrix.h"

#include <algorithm>
#include <cmath>

namespace tactus::rt {

namespace {

/// Subtracts h^T lambda of one side of a row from a body's right side.
inline void subtractRow(const double* h, double lambda, double* rhs) noexcept {
  for (int c = 0; c < 6; ++c) rhs[c] -= h[c] * lambda;
}

}  // namespace

void evaluateIterate(const Model& model, std::span<const double> input, Workspace& ws) noexcept {
  for (const Primitive& p : model.primitives)
    evaluateRows(p, ws.motions.data(), ws.phi.data() + p.row, ws.jacobian.data() + p.row);
  std::fill(ws.loads.begin(), ws.loads.end(), Load{});
  addActuatorLoads(model, input, ws.motions.data(), ws.loads.data());
}

void bodyRightSide(const Model& model, Workspace& ws) noexcept {
  for (int i = 0; i < model.bodyCount(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Body& body = model.bodies[k];
    const RotationIterate& q = ws.rotations[k];
    double* rhs = ws.unknowns.data() + 6 * i;
    Vec3Map force(rhs), torque(rhs + 3);
    force = ws.loads[k].force - body.mass * (ws.motions[k].a - model.gravity);
    torque = ws.loads[k].torque - inertiaTorque(body, ws.motions[k].R, q.omega, q.alpha);
  }
  for (const Joint& joint : model.joints)
    for (int row = joint.first_row; row < joint.first_row + joint.row_count; ++row) {
      const auto r = static_cast<std::size_t>(row);
      if (joint.body_1 != kGround)
        subtractRow(ws.jacobian[r].h[0], ws.lambda[r], ws.unknowns.data() + 6 * joint.body_1);
      if (joint.body_2 != kGround)
        subtractRow(ws.jacobian[r].h[1], ws.lambda[r], ws.unknowns.data() + 6 * joint.body_2);
    }
}

void positionRightSide(const Model& model, double leak, Workspace& ws) noexcept {
  bodyRightSide(model, ws);
  double* rhs_rows = ws.unknowns.data() + 6 * model.bodyCount();
  for (int row = 0; row < model.rows; ++row) {
    const auto r = static_cast<std::size_t>(row);
    rhs_rows[row] = leak * ws.epsilon[r] * ws.lambda[r] - ws.phi[r];
  }
}

double positionViolation(const Model& model, const Workspace& ws) noexcept {
  double sum = 0;
  for (int row = 0; row < model.rows; ++row)
    sum += ws.phi[static_cast<std::size_t>(row)] * ws.phi[static_cast<std::size_t>(row)];
  return std::sqrt(sum);
}

}  // namespace tactus::rt
