#include "rt/mechanics/compliant_loads.h"

#include "rt/model/model.h"

#include <algorithm>

namespace tactus::rt {

namespace {

/// A joint with a compliant law at one motion.
struct CompliantJoint {
  JointRows rows;
  double rate[kMaxJointRows], lambda[kMaxJointRows];
  CompliantLaw law;  ///< that holds at the motion

  CompliantJoint(const Model& model, const Joint& joint, const BodyMotion* motions, const double* displacements,
                 const double* input) noexcept {
    evaluateJointRows(model, joint, motions, displacements, rows);
    jointRowRates(model, joint, rows.jacobian, rows.further, motions, rate);
    CompliantLaw scratch;
    law = lawAt(model, joint, motions, input, rows.phi, rate, scratch);
    compliantForce(law, rows.phi, rate, lambda);
  }
};

}  // namespace

ElementPower addCompliantLoad(const Model& model, const Joint& joint, const BodyMotion* motions,
                              const double* displacements, const double* input, double* lambda, Load* loads) noexcept {
  const CompliantJoint c(model, joint, motions, displacements, input);
  std::copy_n(c.lambda, joint.row_count, lambda);
  for (int k = 0; k < joint.row_count; ++k)
    forEachSide(model, joint, c.rows, k, [&](int body, const double* h) noexcept {
      for (int i = 0; i < 3; ++i) {
        loads[body].force[i] -= h[i] * c.lambda[k];
        loads[body].torque[i] -= h[3 + i] * c.lambda[k];
      }
    });
  return lawPower(model, joint, motions, input, c.rows.phi, c.rate);
}

CompliantDerivatives differentiateCompliantLoad(const Model& model, const Joint& joint, const BodyMotion* motions,
                                                const double* displacements, const double* input) noexcept {
  const CompliantJoint c(model, joint, motions, displacements, input);
  using Rows = Eigen::Matrix<double, 6, 12>;
  Rows H = Rows::Zero(), rate_by_position = Rows::Zero();
  for (int k = 0; k < joint.row_count; ++k)
    for (int i = 0; i < 12; ++i) H(k, i) = c.rows.jacobian[k].h[i / 6][i % 6];
  CompliantDerivatives d{Matrix12d::Zero(), Matrix12d::Zero()};
  for (int i = 0; i < joint.primitive_count; ++i) {
    const Primitive& p = model.primitives[static_cast<std::size_t>(joint.first_primitive + i)];
    const int at = p.row - joint.first_row, count = rowsOf(p.kind);
    rate_by_position.middleRows(at, count) = differentiateRows(p, motions).rate_by_position.topRows(count);
    d.by_position += differentiateReaction(p, motions, c.lambda + at);
  }
  d.by_position += H.transpose() * (c.law.K * H + c.law.C * rate_by_position);
  d.by_velocity = H.transpose() * c.law.C * H;
  addRoadDerivatives(model, joint, motions, input, c.rows.phi, c.rate, H.row(0), d.by_position, d.by_velocity);
  return d;
}

std::vector<BodyLoadDerivative> differentiateCompliantCoupler(const Model& model, const Joint& joint,
                                                              const BodyMotion* motions, const double* displacements,
                                                              const double* input) {
  const CompliantJoint c(model, joint, motions, displacements, input);
  const Coupler& coupler = model.couplers[static_cast<std::size_t>(joint.coupler)];
  // The bodies of the row, with the Jacobian there and the derivative of its rate.
  struct Side {
    int body;
    const double* h;
    Vector6d rate_by_position = Vector6d::Zero();
  };
  std::vector<Side> sides;
  forEachSide(model, joint, c.rows, 0, [&](int body, const double* h) { sides.push_back({body, h}); });
  const auto sideOf = [&](int body) {
    return std::find_if(sides.begin(), sides.end(), [body](const Side& side) { return side.body == body; });
  };

  std::vector<BodyLoadDerivative> all;
  for (const Primitive& term : coupler.terms) {
    const Row12d rate = differentiateRows(term, motions).rate_by_position.row(0);
    const Matrix12d reaction = differentiateReaction(term, motions, c.lambda);
    const int bodies[2] = {term.body_1, term.body_2};
    for (int r = 0; r < 2; ++r) {
      if (bodies[r] == kGround) continue;
      sideOf(bodies[r])->rate_by_position += rate.segment<6>(6 * r).transpose();
      for (int col = 0; col < 2; ++col)
        if (bodies[col] != kGround) all.push_back({bodies[r], bodies[col], reaction.block<6, 6>(6 * r, 6 * col)});
    }
  }
  using Vector = Eigen::Map<const Vector6d>;
  for (const Side& loaded : sides)
    for (const Side& moved : sides)
      all.push_back(
          {loaded.body, moved.body,
           Vector(loaded.h) * (c.law.K(0, 0) * Vector(moved.h) + c.law.C(0, 0) * moved.rate_by_position).transpose(),
           c.law.C(0, 0) * Vector(loaded.h) * Vector(moved.h).transpose()});
  return all;
}

}  // namespace tactus::rt
