#include "rt/mechanics/compliant_loads.h"

#include <algorithm>

namespace tactus::rt {

namespace {

/// A joint with a compliant law at one motion.
struct CompliantJoint {
  RowJacobian rows[kMaxJointRows];
  double phi[kMaxJointRows], rate[kMaxJointRows], lambda[kMaxJointRows];
  CompliantLaw law;  ///< that holds at the motion

  CompliantJoint(const Model& model, const Joint& joint, const BodyMotion* motions, const double* displacements,
                 const double* input) noexcept {
    evaluateJointRows(model, joint, motions, displacements, phi, rows);
    jointRowRates(joint, rows, motions, rate);
    CompliantLaw scratch;
    law = lawAt(model, joint, motions, input, phi, rate, scratch);
    compliantForce(law, phi, rate, lambda);
  }
};

}  // namespace

ElementPower addCompliantLoad(const Model& model, const Joint& joint, const BodyMotion* motions,
                              const double* displacements, const double* input, double* lambda, Load* loads) noexcept {
  const CompliantJoint c(model, joint, motions, displacements, input);
  std::copy_n(c.lambda, joint.row_count, lambda);
  for (int side = 0; side < 2; ++side) {
    const int body = side == 0 ? joint.body_1 : joint.body_2;
    if (body == kGround) continue;
    for (int k = 0; k < joint.row_count; ++k)
      for (int i = 0; i < 3; ++i) {
        loads[body].force[i] -= c.rows[k].h[side][i] * c.lambda[k];
        loads[body].torque[i] -= c.rows[k].h[side][3 + i] * c.lambda[k];
      }
  }
  return lawPower(model, joint, motions, input, c.phi, c.rate);
}

CompliantDerivatives differentiateCompliantLoad(const Model& model, const Joint& joint, const BodyMotion* motions,
                                                const double* displacements, const double* input) noexcept {
  const CompliantJoint c(model, joint, motions, displacements, input);
  using Rows = Eigen::Matrix<double, 6, 12>;
  Rows H = Rows::Zero(), rate_by_position = Rows::Zero();
  for (int k = 0; k < joint.row_count; ++k)
    for (int i = 0; i < 12; ++i) H(k, i) = c.rows[k].h[i / 6][i % 6];
  CompliantDerivatives d{Matrix12d::Zero(), Matrix12d::Zero()};
  for (int i = 0; i < joint.primitive_count; ++i) {
    const Primitive& p = model.primitives[static_cast<std::size_t>(joint.first_primitive + i)];
    const int at = p.row - joint.first_row, count = rowsOf(p.kind);
    rate_by_position.middleRows(at, count) = differentiateRows(p, motions).rate_by_position.topRows(count);
    d.by_position += differentiateReaction(p, motions, c.lambda + at);
  }
  d.by_position += H.transpose() * (c.law.K * H + c.law.C * rate_by_position);
  d.by_velocity = H.transpose() * c.law.C * H;
  addRoadDerivatives(model, joint, motions, input, c.phi, c.rate, H.row(0), d.by_position, d.by_velocity);
  return d;
}

}  // namespace tactus::rt
