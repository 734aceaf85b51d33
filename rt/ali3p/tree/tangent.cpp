#include "rt/ali3p/tree/tangent.h"

#include "rt/ali3p/stiffness_limit.h"
#include "rt/ali3p/tree/residual.h"
#include "rt/ali3p/tree/trapezoid.h"
#include "rt/math/lane_transpose.h"
#include "rt/math/skew.h"
#include "rt/math/small_solve.h"
#include "rt/mechanics/compliant_rows.h"
#include "rt/mechanics/coupler.h"
#include "rt/mechanics/force_elements.h"
#include "rt/mechanics/gyroscopic.h"
#include "rt/mechanics/load_derivatives.h"
#include "rt/mechanics/mass_matrix.h"
#include "rt/model/model.h"

#include <algorithm>
#include <type_traits>

namespace tactus::rt {

namespace {

/// J_hat = J + K of each body, with K limited.
/// @returns number of bodies where it was
int formInertias(const Model& model, double dt, const TreeIterate& iterate, const TreeRows& rows,
                 TreeTangent& tangent) noexcept {
  const double scale = 0.25 * dt * dt;
  std::fill(tangent.stiffness.begin(), tangent.stiffness.end(), Matrix3d::Zero());
  // ali3p (10)
  rows.lanes.addGeometricStiffness(model, iterate.motions.data(), iterate.lambda.data(), tangent.stiffness.data());
  rows.carried.addGeometricStiffness(iterate.lambda.data(), tangent.stiffness.data());
  int limited = 0;
  const TreeShare& share = iterate.share;
  for (std::size_t i = 0; i < share.moved.size(); ++i) {
    const auto k = static_cast<std::size_t>(share.moved[i]);
    const Body& body = model.bodies[k];
    BodyTangent& t = tangent.bodies[k];
    const Matrix3d J = worldInertia(body, iterate.motions[k].R);
    const Matrix3d K = scale * tangent.stiffness[k];
    t.m_hat = body.mass;
    t.J_hat = J + K;  // ali3p (9)
    if (isPositiveDefinite3(K - kStiffnessLimit * J)) continue;
    t.J_hat = limitedSum(J, K);
    if (i < share.own_bodies) ++limited;
  }
  return limited;
}

/// What force elements add to the inertias.
void addLoadDerivatives(const Model& model, double dt, const TreeLoads& loads, TreeTangent& tangent) noexcept {
  forEachAddedInertia(model, loads.elements, dt, [&tangent](int body, double mass, const auto& inertia) noexcept {
    BodyTangent& t = tangent.bodies[static_cast<std::size_t>(body)];
    t.m_hat += mass;
    if constexpr (std::is_same_v<std::decay_t<decltype(inertia)>, double>)
      t.J_hat.diagonal().array() += inertia;
    else
      t.J_hat += inertia;
  });
}

/// J_hat with all of the derivative of the inertia torque in place of its symmetric part J, and with the antisymmetric
/// part of K_g, which belongs to it: half the torque of the joints. A body whose sum would not be positive keeps J_hat.
/// @param of_all  of every body; otherwise the bodies that do not spin fast keep J_hat, too
/// @returns number of bodies that keep J_hat although they should not
int addGyroscopicPart(const Model& model, double dt, bool of_all, const TreeIterate& iterate,
                      const TreeConditions& conditions, const TreeRows& rows, const TreeLoads& loads,
                      TreeUnknowns& scratch, TreeTangent& tangent) noexcept {
  const double scale = 0.25 * dt * dt;
  int limited = 0;
  bodyRightSide(model, iterate, rows, loads, scratch);
  for (std::size_t k = 0; k < tangent.bodies.size(); ++k) {
    BodyTangent& t = tangent.bodies[k];
    if (!of_all && conditions.spins_fast[k] == 0) {
      t.turning = t.J_hat;
      continue;
    }
    const Body& body = model.bodies[k];
    const BodyMotion& motion = iterate.motions[k];
    const RotationIterate& q = iterate.rotations[k];
    const Matrix3d J = worldInertia(body, motion.R);
    const InertiaTorqueDerivatives torque = differentiateInertiaTorque(body, motion);
    const RotationRateDerivatives rates = differentiateRotationRates(dt, q, motion);
    const Vector3d left = ConstVec3Map(scratch.values.data() + 6 * k + 3);
    const Vector3d of_joints = loads.bodies[k].torque - inertiaTorque(body, motion.R, q.omega, q.alpha) - left;
    // ali3p (13)
    t.turning = t.J_hat - J +
                scale * (torque.by_rotation + torque.by_rate * rates.omega + torque.by_acceleration * rates.alpha -
                         0.5 * skew(of_joints));
    if (isPositiveDefinite3(0.5 * (t.turning + t.turning.transpose()) - (1 + kStiffnessLimit) * J)) continue;
    t.turning = t.J_hat;
    ++limited;
  }
  return limited;
}

/// Compliance that one side of a row sees: h W h^T; none on ground.
[[gnu::always_inline]] inline double sideCompliance(const TreeTangent& tangent, int body, const double* h) noexcept {
  if (body == kGround) return 0.0;
  const BodyTangent& t = tangent.bodies[static_cast<std::size_t>(body)];
  const Vector3d translation(h[0], h[1], h[2]), rotation(h[3], h[4], h[5]);
  return t.w_mass * translation.squaredNorm() + rotation.dot(t.w_J * rotation);
}

/// The same of rows over the same bodies, four rows at a time.
/// @param[in,out] sums  of each row: added to
TACTUS_INLINE void addSideCompliances(const TreeTangent& tangent, int body, const RowJacobian* rows, int count,
                                      int side, double* sums) noexcept {
  if (body == kGround) return;
  using Quad = Lanes<4>;
  const BodyTangent& t = tangent.bodies[static_cast<std::size_t>(body)];
  const Quad mass = t.w_mass;
  for (int first = 0; first < count; first += 4) {
    const auto row = [&](int lane) noexcept { return rows[std::min(first + lane, count - 1)].h[side]; };
    const double* const sides[4] = {row(0), row(1), row(2), row(3)};
    Quad h[6];
    gather(sides, h);
    Quad sum = mass * (h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
    for (int k = 0; k < 3; ++k) sum += h[3 + k] * (t.w_J(k, 0) * h[3] + t.w_J(k, 1) * h[4] + t.w_J(k, 2) * h[5]);
    (Quad::from(sums + first) + sum).to(sums + first);
  }
}

/// The compliance of every rigid row, from that of the bodies it joins.
void regularize(const Model& model, const Settings& settings, const TreeRows& rows, TreeTangent& tangent) noexcept {
  const auto set = [&](int row, double scale) noexcept {
    const auto r = static_cast<std::size_t>(row);
    tangent.compliance_scale[r] = scale;
    tangent.epsilon[r] =
        settings.absolute_alpha > 0 ? 1 / settings.absolute_alpha : settings.relative_compliance * scale;
  };
  std::fill(tangent.epsilon.begin(), tangent.epsilon.end(), 0.0);
  const auto regularizeRows = [&](const RegularizedRows& of) noexcept {
    const RowJacobian* h = rows.jacobian.data() + of.first_row;
    double sums[RegularizedRows::kMaxRows + 3] = {};
    addSideCompliances(tangent, of.body_1, h, of.row_count, 0, sums);
    addSideCompliances(tangent, of.body_2, h, of.row_count, 1, sums);
    const double* sum = sums;
    for (int i = of.first_primitive; i < of.first_primitive + of.primitive_count; ++i) {
      const Primitive& p = model.primitives[static_cast<std::size_t>(i)];
      const int count = rowsOf(p.kind);
      double mean = 0;
      for (int k = 0; k < count; ++k) mean += *sum++;
      mean /= count;
      for (int row = p.row; row < p.row + count; ++row) set(row, mean);  // ali3p (14)
    }
  };
  for (const RegularizedRows& of : tangent.regularized) regularizeRows(of);
  if (settings.third_order)
    for (const RegularizedRows& of : tangent.elastic_sections) regularizeRows(of);
  for (const int index : tangent.regularized_couplers) {
    const Coupler& coupler = model.couplers[static_cast<std::size_t>(index)];
    const Joint& joint = model.joints[static_cast<std::size_t>(coupler.joint)];
    const RowJacobian& h = rows.jacobian[static_cast<std::size_t>(joint.first_row)];
    double sum = sideCompliance(tangent, joint.body_1, h.h[0]) + sideCompliance(tangent, joint.body_2, h.h[1]);
    forEachFurtherSide(model, joint, rows.jacobian.data(),
                       [&](int body, const double* side) noexcept { sum += sideCompliance(tangent, body, side); });
    set(joint.first_row, sum);
  }
}

/// Compliance, elastic share and rigidity of the compliant rows, from their laws at the iterate.
void linearizeLaws(const Model& model, double dt, bool third_order, const TreeIterate& iterate,
                   const TreeConditions& conditions, const TreeRows& rows, TreeTangent& tangent) noexcept {
  if (model.compliant_laws.empty()) return;
  tangent.laws.linearize(model, dt, tangent.compliance.data(), tangent.elastic_share.data());
  tangent.scalar_laws.take(tangent.compliance, tangent.elastic_share);
  // K and C of a linear law are constants.
  const auto linearized = [&](const Joint& joint, const CompliantLaw& own) noexcept -> const CompliantLaw& {
    if (own.linear()) return own;
    double rate[kMaxJointRows];
    jointRowRates(model, joint, rows.jacobian.data(), iterate.motions.data(), rate);
    const CompliantLaw& law = lawAt(model, joint, iterate.motions.data(), conditions.input.data(),
                                    rows.phi.data() + joint.first_row, rate, rows.law);
    const auto index = static_cast<std::size_t>(joint.law_index);
    tangent.compliance[index] = stepCompliance(law, dt);  // ali3p (28)
    setElasticShare(law, tangent.compliance[index], tangent.elastic_share[index]);
    return law;
  };
  for (const Joint& joint : model.joints) {
    if (!joint.compliant()) continue;
    const CompliantLaw& law = linearized(joint, model.compliant_laws[static_cast<std::size_t>(joint.law_index)]);
    // ali3p (30). The rows of a beam are stiff, its slow modes are not: without this they lose (omega dt / 2)^4 a step.
    const bool kept = !third_order && joint.primitive_count == 1 &&
                      model.primitives[static_cast<std::size_t>(joint.first_primitive)].kind == PrimitiveKind::kSection;
    for (int k = 0; k < joint.row_count; ++k) {
      const auto row = static_cast<std::size_t>(joint.first_row + k);
      const double x = law.K(k, k) * tangent.compliance_scale[row];  // (omega dt / 2)^2 of the row's own vibration
      tangent.rigidity[row] = kept ? 0 : x * x / (1 + x * x);
    }
  }
}

}  // namespace

void findFastSpins(const Model& model, double dt, const Settings& settings, const State& from,
                   TreeConditions& conditions) noexcept {
  const StateView state = from.view();
  const double limit = settings.gyroscopic_above / dt, square = limit * limit;
  const double* bounds = conditions.gyroscopic_bound.data();
  unsigned char* spins_fast = conditions.spins_fast.data();
  bool any = false;
  for (int k = 0; k < model.bodyCount(); ++k) {
    const auto omega = state.omega(k);
    // The norm decides for nearly all bodies.
    const bool fast =
        omega.squaredNorm() * bounds[k] * bounds[k] > square &&
        gyroscopicContraction(model.bodies[static_cast<std::size_t>(k)], omega, dt) > settings.gyroscopic_above;
    spins_fast[k] = fast ? 1 : 0;
    any = any || fast;
  }
  conditions.any_spins_fast = any;
}

int formTangent(const Model& model, double dt, const Settings& settings, const TreeIterate& iterate,
                const TreeConditions& conditions, const TreeRows& rows, const TreeLoads& loads, TreeUnknowns& scratch,
                TreeTangent& tangent) noexcept {
  int limited = formInertias(model, dt, iterate, rows, tangent);
  addLoadDerivatives(model, dt, loads, tangent);
  const double scale = 0.25 * dt * dt;
  for (const int body : iterate.share.moved) {
    BodyTangent& t = tangent.bodies[static_cast<std::size_t>(body)];
    t.w_mass = scale / t.m_hat;  // ali3p (9)
    invertSymmetric3(t.J_hat, t.w_J);
    t.w_J *= scale;
  }
  tangent.unsymmetric = settings.gyroscopic_tangent || conditions.any_spins_fast;
  if (tangent.unsymmetric)
    limited +=
        addGyroscopicPart(model, dt, settings.gyroscopic_tangent, iterate, conditions, rows, loads, scratch, tangent);
  regularize(model, settings, rows, tangent);
  for (std::size_t k = 0; k < tangent.inverse_masses.size(); ++k)
    tangent.compliance_scale[static_cast<std::size_t>(rows.lanes.couplers().rows()[k])] =
        scale * tangent.inverse_masses[k];
  linearizeLaws(model, dt, settings.third_order, iterate, conditions, rows, tangent);
  return limited;
}

}  // namespace tactus::rt
