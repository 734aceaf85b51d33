#include "rt/ali3p/tree/residual.h"

#include "rt/mechanics/actuators.h"
#include "rt/mechanics/body_loads.h"
#include "rt/mechanics/coupler.h"
#include "rt/mechanics/mass_matrix.h"
#include "rt/mechanics/row_laws.h"

#include <algorithm>
#include <cmath>

namespace tactus::rt {

namespace {

/// Subtracts H^T lambda of a joint's rows from the right sides of its two bodies.
void subtractRows(const Joint& joint, Workspace& ws) noexcept {
  double ground[6] = {};  // nobody reads it
  const auto rightSide = [&](int body) noexcept { return body == kGround ? ground : ws.unknowns.data() + 6 * body; };
  double *to_1 = rightSide(joint.body_1), *to_2 = rightSide(joint.body_2);
  Six sum_1 = Six::load(to_1), sum_2 = Six::load(to_2);
  const RowJacobian* rows = ws.jacobian.data() + joint.first_row;
  const double* lambda = ws.lambda.data() + joint.first_row;
  for (int k = 0; k < joint.row_count; ++k) {
    sum_1 -= lambda[k] * Six::load(rows[k].h[0]);
    sum_2 -= lambda[k] * Six::load(rows[k].h[1]);
  }
  sum_1.store(to_1);
  sum_2.store(to_2);
}

/// Force that the law of a compliant joint gives at the current iterate.
void lawForce(const Model& model, const Joint& joint, Workspace& ws, double* force) noexcept {
  double rate[kMaxJointRows];
  jointRowRates(joint, ws.jacobian.data() + joint.first_row, ws.motions.data(), rate);
  const double* phi = ws.phi.data() + joint.first_row;
  compliantForce(lawAt(model, joint, ws.motions.data(), ws.input.data(), phi, rate, ws.law), phi, rate, force);
}

}  // namespace

void evaluateDrives(const Model& model, double time, std::span<const double> input, Workspace& ws) noexcept {
  std::copy(input.begin(), input.end(), ws.input.begin());
  for (std::size_t i = 0; i < model.drives.size(); ++i) ws.drives[i] = evaluateDrive(model.drives[i], time, input);
}

void evaluateLoads(const Model& model, std::span<const double> input, Workspace& ws) noexcept {
  std::fill(ws.loads.begin(), ws.loads.end(), Load{});
  addActuatorLoads(model, input, ws.motions.data(), ws.loads.data());
  addBodyLoads(model, ws.motions.data(), ws.displacements.data(), ws.loads.data());
  if (ws.elements.empty()) return;
  evaluateElements(model, ws.motions.data(),
                   {ws.displacements.data(), ws.internal_states.data(), input, ws.internal_dt}, ws.elements);
  addElementLoads(model, ws.elements, ws.motions.data(), ws.loads.data());
}

void evaluateConstraints(const Model& model, Workspace& ws) noexcept {
  ws.row_lanes.evaluate(model, ws.motions.data(), ws.displacements.data(), ws.phi.data(), ws.jacobian.data());
  for (const Joint& joint : model.joints)
    if (joint.law == LawKind::kDriven)
      ws.phi[static_cast<std::size_t>(joint.first_row)] -= ws.drives[static_cast<std::size_t>(joint.law_index)].value;
}

void evaluateIterate(const Model& model, std::span<const double> input, Workspace& ws) noexcept {
  evaluateConstraints(model, ws);
  evaluateLoads(model, input, ws);
}

void addDamping(const Model& model, double sign, Workspace& ws) noexcept {
  for (const Joint& joint : model.joints) {
    if (!joint.compliant()) continue;
    double rate[kMaxJointRows];
    jointRowRates(joint, ws.jacobian.data() + joint.first_row, ws.motions.data(), rate);
    const double* phi = ws.phi.data() + joint.first_row;
    const CompliantLaw& law = lawAt(model, joint, ws.motions.data(), ws.input.data(), phi, rate, ws.law);
    double force[kMaxJointRows];
    dampingForce(model, joint, law, ws.input.data(), phi, rate, force);
    for (int r = 0; r < joint.row_count; ++r)
      ws.lambda[static_cast<std::size_t>(joint.first_row + r)] += sign * force[r];
  }
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
  for (const Joint& joint : model.joints) subtractRows(joint, ws);
  for (const Coupler& coupler : model.couplers) {
    const Joint& joint = model.joints[static_cast<std::size_t>(coupler.joint)];
    const double lambda = ws.lambda[static_cast<std::size_t>(joint.first_row)];
    forEachFurtherSide(model, joint, ws.jacobian.data(), [&](int body, const double* h) noexcept {
      double* to = ws.unknowns.data() + 6 * body;
      Six sum = Six::load(to);
      sum -= lambda * Six::load(h);
      sum.store(to);
    });
  }
}

void positionRightSide(const Model& model, double leak, Workspace& ws) noexcept {
  bodyRightSide(model, ws);
  double* rhs_rows = ws.unknowns.data() + 6 * model.bodyCount();
  const double *epsilon = ws.epsilon.data(), *lambda = ws.lambda.data(), *phi = ws.phi.data();
  for (int r = 0; r < model.rows; ++r) rhs_rows[r] = leak * epsilon[r] * lambda[r] - phi[r];
  for (const Joint& joint : model.joints) {
    if (!joint.compliant()) continue;
    double force[kMaxJointRows];
    lawForce(model, joint, ws, force);
    const Matrix6d& E = ws.compliance[static_cast<std::size_t>(joint.law_index)];
    for (int r = 0; r < joint.row_count; ++r) {
      double sum = 0;
      for (int c = 0; c < joint.row_count; ++c) sum += E(r, c) * (lambda[joint.first_row + c] - force[c]);
      rhs_rows[joint.first_row + r] = sum;
    }
  }
}

double positionViolation(const Model& model, const Workspace& ws) noexcept {
  double sum = 0;
  for (const Joint& joint : model.joints) {
    if (joint.compliant()) continue;
    for (int row = joint.first_row; row < joint.first_row + joint.row_count; ++row)
      sum += ws.phi[static_cast<std::size_t>(row)] * ws.phi[static_cast<std::size_t>(row)];
  }
  return std::sqrt(sum);
}

}  // namespace tactus::rt
