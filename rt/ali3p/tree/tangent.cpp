#include "rt/ali3p/tree/tangent.h"

#include "rt/ali3p/tree/residual.h"
#include "rt/ali3p/tree/trapezoid.h"
#include "rt/math/skew.h"
#include "rt/math/small_solve.h"
#include "rt/mechanics/coupler.h"
#include "rt/mechanics/load_derivatives.h"
#include "rt/mechanics/mass_matrix.h"
#include "rt/mechanics/row_laws.h"

#include <Eigen/Eigenvalues>

#include <algorithm>

namespace tactus::rt {

namespace {

/// CompliantLaw that one side of a row sees: h W h^T.
double rowCompliance(const double* h, const BodyTangent& t) noexcept {
  const Vector3d translation(h[0], h[1], h[2]), rotation(h[3], h[4], h[5]);
  return t.w_mass * translation.squaredNorm() + rotation.dot(t.w_J * rotation);
}

/// J_hat with all of the derivative of the inertia torque in place of its symmetric part J, and with the antisymmetric
/// part of K_g, which belongs to it: half the torque of the joints. A body whose sum would not be positive keeps J_hat.
/// @returns number of bodies that do
int addGyroscopicPart(const Model& model, double dt, Workspace& ws) noexcept {
  const double scale = 0.25 * dt * dt;
  int limited = 0;
  bodyRightSide(model, ws);
  for (std::size_t k = 0; k < ws.tangents.size(); ++k) {
    const Body& body = model.bodies[k];
    const BodyMotion& motion = ws.motions[k];
    const RotationIterate& q = ws.rotations[k];
    const Matrix3d J = worldInertia(body, motion.R);
    const InertiaTorqueDerivatives torque = differentiateInertiaTorque(body, motion);
    const RotationRateDerivatives rates = differentiateRotationRates(dt, q, motion);
    const Vector3d left = ConstVec3Map(ws.unknowns.data() + 6 * k + 3);
    const Vector3d of_joints = ws.loads[k].torque - inertiaTorque(body, motion.R, q.omega, q.alpha) - left;
    BodyTangent& t = ws.tangents[k];
    t.turning = t.J_hat - J +
                scale * (torque.by_rotation + torque.by_rate * rates.omega + torque.by_acceleration * rates.alpha -
                         0.5 * skew(of_joints));
    if (isPositiveDefinite3(0.5 * (t.turning + t.turning.transpose()) - (1 + kStiffnessLimit) * J)) continue;
    t.turning = t.J_hat;
    ++limited;
  }
  return limited;
}

}  // namespace

Matrix3d limitedSum(const Matrix3d& J, const Matrix3d& K) noexcept {
  const Matrix3d L = J.llt().matrixL();
  const auto triangle = L.triangularView<Eigen::Lower>();
  // Column by column: what Eigen solves at once it packs first, as for large matrices.
  Matrix3d half, B;
  for (int c = 0; c < 3; ++c) half.col(c) = triangle.solve(K.col(c));
  half.transposeInPlace();
  for (int c = 0; c < 3; ++c) B.col(c) = triangle.solve(half.col(c));
  Eigen::SelfAdjointEigenSolver<Matrix3d> eigen;
  eigen.computeDirect(0.5 * (B + B.transpose()));
  const Vector3d k = eigen.eigenvalues().cwiseMax(kStiffnessLimit);
  const Matrix3d LQ = L * eigen.eigenvectors();
  return J + LQ * k.asDiagonal() * LQ.transpose();
}

int formTangent(const Model& model, double dt, const Settings& settings, Workspace& ws) noexcept {
  const double scale = 0.25 * dt * dt;
  std::fill(ws.stiffness.begin(), ws.stiffness.end(), Matrix3d::Zero());
  ws.row_lanes.addGeometricStiffness(model, ws.motions.data(), ws.lambda.data(), ws.stiffness.data());

  int limited = 0;
  for (int i = 0; i < model.bodyCount(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Body& body = model.bodies[k];
    BodyTangent& t = ws.tangents[k];
    const Matrix3d J = worldInertia(body, ws.motions[k].R);
    const Matrix3d K = scale * ws.stiffness[k];
    t.m_hat = body.mass;
    t.J_hat = J + K;
    if (!isPositiveDefinite3(K - kStiffnessLimit * J)) {
      t.J_hat = limitedSum(J, K);
      ++limited;
    }
  }
  for (const BodyDrag& drag : model.drags) {
    BodyTangent& t = ws.tangents[static_cast<std::size_t>(drag.body)];
    t.m_hat += 0.5 * dt * drag.linear;
    t.J_hat.diagonal().array() += 0.5 * dt * drag.angular;
  }
  forEachAddedInertia(model, ws.elements, dt, [&ws](int body, const AddedInertia& added) noexcept {
    BodyTangent& t = ws.tangents[static_cast<std::size_t>(body)];
    t.m_hat += added.mass;
    t.J_hat += added.inertia;
  });
  for (BodyTangent& t : ws.tangents) {
    t.w_mass = scale / t.m_hat;
    invertSymmetric3(t.J_hat, t.w_J);
    t.w_J *= scale;
  }
  ws.unsymmetric = settings.gyroscopic_tangent;
  if (ws.unsymmetric) limited += addGyroscopicPart(model, dt, ws);
  const auto compliance = [&ws](int body, const double* h) noexcept {
    return body == kGround ? 0.0 : rowCompliance(h, ws.tangents[static_cast<std::size_t>(body)]);
  };
  const auto regularise = [&](int row, double scale_of_row) noexcept {
    const auto r = static_cast<std::size_t>(row);
    ws.compliance_scale[r] = scale_of_row;
    ws.epsilon[r] =
        settings.absolute_alpha > 0 ? 1 / settings.absolute_alpha : settings.relative_compliance * scale_of_row;
  };
  for (const Primitive& p : model.primitives) {
    const int rows = rowsOf(p.kind);
    double mean = 0;
    for (int row = p.row; row < p.row + rows; ++row) {
      const RowJacobian& h = ws.jacobian[static_cast<std::size_t>(row)];
      mean += compliance(p.body_1, h.h[0]) + compliance(p.body_2, h.h[1]);
    }
    for (int row = p.row; row < p.row + rows; ++row) regularise(row, mean / rows);
  }
  for (const Coupler& coupler : model.couplers) {
    const Joint& joint = model.joints[static_cast<std::size_t>(coupler.joint)];
    const RowJacobian& h = ws.jacobian[static_cast<std::size_t>(joint.first_row)];
    double sum = compliance(joint.body_1, h.h[0]) + compliance(joint.body_2, h.h[1]);
    forEachFurtherSide(model, joint, ws.jacobian.data(),
                       [&](int body, const double* side) noexcept { sum += compliance(body, side); });
    regularise(joint.first_row, sum);
  }

  for (const Joint& joint : model.joints) {
    if (!joint.compliant()) continue;
    const auto index = static_cast<std::size_t>(joint.law_index);
    double rate[kMaxJointRows];
    jointRowRates(joint, ws.jacobian.data() + joint.first_row, ws.motions.data(), rate);
    const CompliantLaw& law =
        lawAt(model, joint, ws.motions.data(), ws.input.data(), ws.phi.data() + joint.first_row, rate, ws.law);
    ws.compliance[index] = stepCompliance(law, dt);
    // (omega dt / 2)^2 of the row's own vibration.
    for (int k = 0; k < joint.row_count; ++k) {
      const auto row = static_cast<std::size_t>(joint.first_row + k);
      const double x = law.K(k, k) * ws.compliance_scale[row];
      ws.rigidity[row] = x * x / (1 + x * x);
    }
  }
  return limited;
}

}  // namespace tactus::rt
