#include "rt/ali3p/tree/tangent.h"

#include "rt/ali3p/inertia_gain.h"
#include "rt/ali3p/stiffness_limit.h"
#include "rt/ali3p/tree/inertia_lanes.h"
#include "rt/ali3p/tree/residual.h"
#include "rt/ali3p/tree/trapezoid.h"
#include "rt/math/lane_transpose.h"
#include "rt/math/skew.h"
#include "rt/math/small_solve.h"
#include "rt/math/symmetric3.h"
#include "rt/mechanics/compliant_rows.h"
#include "rt/mechanics/coupler.h"
#include "rt/mechanics/force_elements.h"
#include "rt/mechanics/gyroscopic.h"
#include "rt/mechanics/load_derivatives.h"
#include "rt/mechanics/mass_matrix.h"
#include "rt/model/model.h"

#include <algorithm>
#include <limits>
#include <type_traits>

namespace tactus::rt {

namespace {

/// The least inertiaGain() where there is to be none.
constexpr double kNoGain = std::numeric_limits<double>::infinity();

double gainOf(double dt, double least, const RotationIterate& q) noexcept {
  return inertiaGain<double>(dt, least, q.p, q.p_prev, q.drift);
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
int addGyroscopicPart(const Model& model, double dt, double least_gain, bool of_all, const TreeIterate& iterate,
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
    const Matrix3d J = (1 + gainOf(dt, least_gain, q)) * worldInertia(body, motion.R);
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
[[gnu::always_inline]] inline double sideCompliance(const std::vector<BodyTangent>& bodies, int body,
                                                    const double* h) noexcept {
  if (body == kGround) return 0.0;
  const BodyTangent& t = bodies[static_cast<std::size_t>(body)];
  const Vector3d translation(h[0], h[1], h[2]), rotation(h[3], h[4], h[5]);
  return t.w_mass * translation.squaredNorm() + rotation.dot(t.w_J * rotation);
}

/// The same, summed over the six rows of a section, four rows at a time.
TACTUS_INLINE double sectionCompliance(const std::vector<BodyTangent>& bodies, int body, const RowJacobian* rows,
                                       int side) noexcept {
  if (body == kGround) return 0.0;
  using Quad = Lanes<4>;
  const BodyTangent& t = bodies[static_cast<std::size_t>(body)];
  const auto ofRows = [&](int first) noexcept {
    const double* const sides[4] = {rows[first].h[side], rows[first + 1].h[side], rows[first + 2].h[side],
                                    rows[first + 3].h[side]};
    Quad h[6];
    gather(sides, h);
    Quad sum = t.w_mass * (h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
    for (int k = 0; k < 3; ++k) sum += h[3 + k] * (t.w_J(k, 0) * h[3] + t.w_J(k, 1) * h[4] + t.w_J(k, 2) * h[5]);
    return sum;
  };
  const Quad first = ofRows(0), last = ofRows(2);  // rows 2 and 3 are in both
  return (first[0] + first[1]) + (first[2] + first[3]) + (last[2] + last[3]);
}

/// The sum over the three rows of a point, whose rotations are s x e_k: with tr(W_J) and W_J s instead of row by row.
[[gnu::always_inline]] inline double pointCompliance(const std::vector<BodyTangent>& bodies, int body,
                                                     const RowJacobian* rows, int side) noexcept {
  if (body == kGround) return 0.0;
  const BodyTangent& t = bodies[static_cast<std::size_t>(body)];
  const Vector3d s(rows[1].h[side][5], -rows[0].h[side][5], rows[0].h[side][4]);  // up to its sign
  return 3 * t.w_mass + t.w_J.trace() * s.squaredNorm() - s.dot(t.w_J * s);
}

/// Compliances that the rows of four joints of a point and normals see: f(k, compliance) for each row k.
/// @param between  lanes that see masses alone
template <class F>
TACTUS_INLINE void forEachPointCompliance(const PointJoints& joints, unsigned between, const TreeTangent& tangent,
                                          F&& f) noexcept {
  using Scalar = PointJoints::Scalar;
  using Vector = PointJoints::Vector;
  static constexpr double kGroundNumbers[10] = {};
  Scalar of_point(0.0), of_normals[3] = {Scalar(0.0), Scalar(0.0), Scalar(0.0)};
  const auto addSide = [&](const PointJoints::Indices& body, const Vector& arm) noexcept {
    const double* from[PrimitiveLanes::kLanes];
    for (std::size_t lane = 0; lane < body.size(); ++lane) {
      const std::vector<BodyTangent>& bodies = (between >> lane & 1) != 0 ? tangent.masses : tangent.bodies;
      from[lane] = body[lane] == kGround ? kGroundNumbers : &bodies[static_cast<std::size_t>(body[lane])].w_mass;
    }
    Scalar n[10];
    gather(from, n);
    const Symmetric3<Scalar> w_J{n[1], n[2], n[3], n[5], n[6], n[9]};
    of_point += 3.0 * n[0] + w_J.trace() * arm.squaredNorm() - arm.dot(w_J * arm);
    for (int i = 0; i < joints.normals; ++i) of_normals[i] += joints.normal[i].dot(w_J * joints.normal[i]);
  };
  addSide(joints.body_1, joints.arm_1);
  addSide(joints.body_2, joints.arm_2);
  for (int k = 0; k < 3; ++k) f(k, of_point / Scalar(3.0));
  for (int i = 0; i < joints.normals; ++i) f(3 + i, of_normals[i]);
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
  for (std::size_t i = 0; i < rows.points.groups().size(); ++i) {
    const PointJoints& joints = rows.points.groups()[i];
    if (!joints.are_nodes) continue;
    forEachPointCompliance(joints, tangent.points_between[i], tangent,
                           [&](int k, const PointJoints::Scalar& compliance) noexcept {
                             for (std::size_t lane = 0; lane < joints.row.size(); ++lane)  // ali3p (14)
                               set(joints.row[lane] + k, compliance[static_cast<int>(lane)]);
                           });
  }
  const auto regularizePrimitive = [&](const std::vector<BodyTangent>& bodies, int index) noexcept {
    const Primitive& p = model.primitives[static_cast<std::size_t>(index)];
    const int count = rowsOf(p.kind);
    const RowJacobian* h = rows.jacobian.data() + p.row;
    double sum = 0;
    if (p.kind == PrimitiveKind::kPoint) {
      sum = pointCompliance(bodies, p.body_1, h, 0) + pointCompliance(bodies, p.body_2, h, 1);
    } else if (p.kind == PrimitiveKind::kSection) {
      sum = sectionCompliance(bodies, p.body_1, h, 0) + sectionCompliance(bodies, p.body_2, h, 1);
    } else {
      for (int k = 0; k < count; ++k)
        sum += sideCompliance(bodies, p.body_1, h[k].h[0]) + sideCompliance(bodies, p.body_2, h[k].h[1]);
    }
    for (int row = p.row; row < p.row + count; ++row) set(row, sum / count);  // ali3p (14)
  };
  for (const int index : tangent.regularized) regularizePrimitive(tangent.bodies, index);
  for (const int index : tangent.regularized_between) regularizePrimitive(tangent.masses, index);
  if (settings.order() > 2)
    for (const int index : tangent.elastic_sections) regularizePrimitive(tangent.bodies, index);
  for (const int index : tangent.regularized_couplers) {
    const Coupler& coupler = model.couplers[static_cast<std::size_t>(index)];
    const Joint& joint = model.joints[static_cast<std::size_t>(coupler.joint)];
    const RowJacobian& h = rows.jacobian[static_cast<std::size_t>(joint.first_row)];
    double sum =
        sideCompliance(tangent.bodies, joint.body_1, h.h[0]) + sideCompliance(tangent.bodies, joint.body_2, h.h[1]);
    forEachFurtherSide(model, joint, rows.jacobian.data(), [&](int body, const double* side) noexcept {
      sum += sideCompliance(tangent.bodies, body, side);
    });
    set(joint.first_row, sum);
  }
}

/// Compliance, elastic share and rigidity of the compliant rows, from their laws at the iterate.
void linearizeLaws(const Model& model, double dt, bool plain, const TreeIterate& iterate,
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
    const bool kept = plain && joint.primitive_count == 1 &&
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

int formTangent(const Model& model, double dt, Level level, const Settings& settings, const TreeIterate& iterate,
                const TreeConditions& conditions, const TreeRows& rows, const TreeLoads& loads, TreeUnknowns& scratch,
                TreeTangent& tangent) noexcept {
  const double least_gain = level == Level::kPosition ? leastInertiaGain(dt, settings.dt()) : kNoGain;
  std::fill(tangent.stiffness.begin(), tangent.stiffness.end(), Matrix3d::Zero());
  // ali3p (10)
  rows.lanes.addGeometricStiffness(model, iterate.motions.data(), iterate.lambda.data(), tangent.stiffness.data());
  rows.points.addGeometricStiffness(iterate.lambda.data(), tangent.stiffness.data());
  int limited = formInertias(model, dt, least_gain, iterate, tangent);
  addLoadDerivatives(model, dt, loads, tangent);
  const double scale = 0.25 * dt * dt;
  invertInertias(scale, iterate, tangent);
  for (const int body : tangent.between_bodies) {
    const auto k = static_cast<std::size_t>(body);
    BodyTangent& t = tangent.masses[k];
    t.w_mass = scale / model.bodies[k].mass;
    invertSymmetric3(worldInertia(model.bodies[k], iterate.motions[k].R), t.w_J);
    t.w_J *= scale;
  }
  tangent.unsymmetric = settings.gyroscopic_tangent || conditions.any_spins_fast;
  if (tangent.unsymmetric)
    limited += addGyroscopicPart(model, dt, least_gain, settings.gyroscopic_tangent, iterate, conditions, rows, loads,
                                 scratch, tangent);
  regularize(model, settings, rows, tangent);
  for (std::size_t k = 0; k < tangent.inverse_masses.size(); ++k)
    tangent.compliance_scale[static_cast<std::size_t>(rows.lanes.couplers().rows()[k])] =
        scale * tangent.inverse_masses[k];
  linearizeLaws(model, dt, settings.order() == 2, iterate, conditions, rows, tangent);
  return limited;
}

}  // namespace tactus::rt
