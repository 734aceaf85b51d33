// Compliant rows of joints: springs, dampers, bushings and tyres that carry a load. The law of a row is that of its
// kind, see elements/compliant_row.h.
#pragma once

#include "rt/mechanics/elements/compliant_row.h"
#include "rt/mechanics/joint_constraints.h"
#include "rt/model/compliant_law.h"
#include "rt/model/joint.h"
#include "rt/model/limits.h"
#include "rt/model/model.h"
#include "rt/state/state.h"

namespace tactus::rt {

/// The linear law that holds at a motion: the law of the Model where it is linear, else value and derivatives of the
/// law by elongation and rate, written into `scratch`. An element that carries nothing keeps a millionth of its
/// stiffness in the tangent, so that every row stays solvable.
/// @param input  value of each actuator
/// @param rate   of the rows, as jointRowRates()
/// @rt no allocation, no throw, bounded work
const CompliantLaw& lawAt(const Model& model, const Joint& joint, const BodyMotion* motions, const double* input,
                          const double* phi, const double* rate, CompliantLaw& scratch) noexcept;

/// What the dampers of a compliant joint add to its force at a rate.
/// @param[out] scratch  as of lawAt()
/// @param[out] force    joint.row_count values
/// @rt no allocation, no throw, bounded work
void dampingForce(const Model& model, const Joint& joint, const BodyMotion* motions, const double* input,
                  const double* phi, const double* rate, CompliantLaw& scratch, double* force) noexcept;

/// lambda = preload + K (phi - rest) + C rate, for law.rows rows.
/// @rt no allocation, no throw, fixed work
void compliantForce(const CompliantLaw& law, const double* phi, const double* rate, double* lambda) noexcept;

/// compliantForce() at rest, which is that of a law without dampers.
/// @rt no allocation, no throw, fixed work
void elasticForce(const CompliantLaw& law, const double* phi, double* lambda) noexcept;

/// Energy stored in a compliant joint, J, zero at rest. Linear: preload (phi - rest) + (phi - rest) K (phi - rest) / 2.
/// @rt no allocation, no throw, bounded work
double storedEnergy(const Model& model, const Joint& joint, const BodyMotion* motions, const double* input,
                    const double* phi) noexcept;

/// Power that a compliant joint dissipates and brings in.
/// @rt no allocation, no throw, bounded work
ElementPower lawPower(const Model& model, const Joint& joint, const BodyMotion* motions, const double* input,
                      const double* phi, const double* rate) noexcept;

/// (K + (2/dt) C)^-1, the compliance of the law within a step of the trapezoidal rule. Positive definite: checkModel()
/// ensures it for several rows, law.minimum_stiffness for one row. Only the leading law.rows x law.rows part is used.
/// @rt no allocation, no throw, fixed work
/// @source rt/doc/ali3p.md section 9
Matrix6d stepCompliance(const CompliantLaw& law, double dt) noexcept;

/// E K over the rows of a law, with E as stepCompliance() gave it: the elastic share of its stiffness within a step.
/// @rt no allocation, no throw, fixed work
/// @source rt/doc/ali3p.md, equation 29
void setElasticShare(const CompliantLaw& law, const Matrix6d& E, Matrix6d& share) noexcept;

/// The rows of one joint at one motion.
struct JointRows {
  double phi[kMaxJointRows];
  RowJacobian jacobian[kMaxJointRows];    ///< for both bodies of the joint
  RowJacobian further[kMaxFurtherPairs];  ///< of its one row, for each further pair of bodies
};

/// Values and Jacobian of the rows of one joint as its law counts them: angles continue `displacements`, those of
/// State.
/// @rt no allocation, no throw, fixed work
void evaluateJointRows(const Model& model, const Joint& joint, const BodyMotion* motions, const double* displacements,
                       JointRows& rows) noexcept;

/// Adds what the load of a compliant joint depends on beside elongation and rate, to the derivatives of H^T lambda by
/// position and by velocity: the way of a wheel along its road. Sets both to zero where a tyre carries nothing.
/// @param h  first row of the joint
/// @rt no allocation, no throw, bounded work
void addRoadDerivatives(const Model& model, const Joint& joint, const BodyMotion* motions, const double* input,
                        const double* phi, const double* rate, const Row12d& h, Matrix12d& by_position,
                        Matrix12d& by_velocity) noexcept;

/// Calls f(body, h) for each body of a joint: h is the Jacobian of one of its rows there, six numbers.
template <class F>
void forEachSide(const Model& model, const Joint& joint, const JointRows& rows, int row, F&& f) {
  if (joint.body_1 != kGround) f(joint.body_1, rows.jacobian[row].h[0]);
  if (joint.body_2 != kGround) f(joint.body_2, rows.jacobian[row].h[1]);
  for (int i = 0; i < joint.pair_count; ++i) {
    const BodyPair& pair = model.extra_body_pairs[static_cast<std::size_t>(joint.first_pair + i)];
    if (pair.body_1 != kGround) f(pair.body_1, rows.further[i].h[0]);
    if (pair.body_2 != kGround) f(pair.body_2, rows.further[i].h[1]);
  }
}

/// Rates of the rows of a joint, H (v, omega_w).
/// @param jacobian  of its rows for its two bodies. @param further  of its one row, for each further pair of bodies
/// @rt no allocation, no throw, fixed work
inline void jointRowRates(const Model& model, const Joint& joint, const RowJacobian* jacobian,
                          const RowJacobian* further, const BodyMotion* motions, double* rate) noexcept {
  const Six b1 = motionOf(motions, joint.body_1).rates(), b2 = motionOf(motions, joint.body_2).rates();
  for (int k = 0; k < joint.row_count; ++k) rate[k] = rowTimes(jacobian[k], b1, b2);
  for (int i = 0; i < joint.pair_count; ++i) {
    const BodyPair& pair = model.extra_body_pairs[static_cast<std::size_t>(joint.first_pair + i)];
    rate[0] += rowTimes(further[i], motionOf(motions, pair.body_1).rates(), motionOf(motions, pair.body_2).rates());
  }
}

/// The same with the Jacobian of all rows of the Model, then of all further pairs: Model::jacobianRows() of them.
/// @rt no allocation, no throw, fixed work
inline void jointRowRates(const Model& model, const Joint& joint, const RowJacobian* all, const BodyMotion* motions,
                          double* rate) noexcept {
  jointRowRates(model, joint, all + joint.first_row, all + model.rows + joint.first_pair, motions, rate);
}

}  // namespace tactus::rt
