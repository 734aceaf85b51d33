// Rows that are a sum of terms, over all bodies of the terms: of couplers, whose terms are displacements of joints, and
// of rows with a law over more than two bodies.
#pragma once

#include "rt/mechanics/joint_constraints.h"
#include "rt/model/model.h"

namespace tactus::rt {

/// Value of the row of a coupler, and its Jacobian.
///
/// @param displacements  of State, those that the angles continue
/// @param[out] own      for both bodies of the joint
/// @param[out] further  for each further pair of bodies, Joint::pair_count of them
/// @rt no allocation, no throw, fixed work
double evaluateCoupler(const Model& model, const Coupler& coupler, const BodyMotion* motions,
                       const double* displacements, RowJacobian& own, RowJacobian* further) noexcept;

/// The value alone.
/// @rt no allocation, no throw, fixed work
double couplerValue(const Coupler& coupler, const BodyMotion* motions, const double* displacements) noexcept;

/// Right side of the row at acceleration level. Reads r, R, v, omega_w.
/// @rt no allocation, no throw, fixed work
double couplerGamma(const Coupler& coupler, const BodyMotion* motions) noexcept;

/// Counts the turns that joints of rigid couplers have made in the declared state: the fewest with which the assembly
/// can close each row, or else those that close it best. A joint keeps the turns of a rack, a screw, a drive or a
/// coupler declared before. Not for the tick: allocates.
/// @param[in,out] angles  of State; those of racks and screws as startAngles() leaves them
void startCouplerAngles(const Model& model, const BodyMotion* motions, double* angles);

/// The row of a coupler and its Jacobian, in their places among those of all joints.
/// @rt no allocation, no throw, fixed work
void evaluateCoupler(const Model& model, const Coupler& coupler, const BodyMotion* motions, const double* displacements,
                     double* phi, RowJacobian* jacobian) noexcept;

/// Rows of all joints and their Jacobian, couplers among them.
/// @param[out] phi       Model::rows of them; of driven rows what the drive is to give
/// @param[out] jacobian  Model::jacobianRows() of them
/// @rt no allocation, no throw, fixed work
void evaluateAllRows(const Model& model, const BodyMotion* motions, const double* displacements, double* phi,
                     RowJacobian* jacobian) noexcept;

/// Calls f(body, h) for each body of a joint beyond its two: h is the Jacobian of its row there, six numbers.
/// @param jacobian  of all rows, then of all pairs: Model::jacobianRows() of them
template <class F>
void forEachFurtherSide(const Model& model, const Joint& joint, const RowJacobian* jacobian, F&& f) {
  for (int i = joint.first_pair; i < joint.first_pair + joint.pair_count; ++i) {
    const BodyPair& pair = model.extra_body_pairs[static_cast<std::size_t>(i)];
    const RowJacobian& h = jacobian[model.rows + i];
    if (pair.body_1 != kGround) f(pair.body_1, h.h[0]);
    if (pair.body_2 != kGround) f(pair.body_2, h.h[1]);
  }
}

/// The same for all bodies of a joint, at one of its rows.
template <class F>
void forEachSide(const Model& model, const Joint& joint, int row, const RowJacobian* jacobian, F&& f) {
  if (joint.body_1 != kGround) f(joint.body_1, jacobian[row].h[0]);
  if (joint.body_2 != kGround) f(joint.body_2, jacobian[row].h[1]);
  forEachFurtherSide(model, joint, jacobian, f);
}

}  // namespace tactus::rt
