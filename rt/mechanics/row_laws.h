// What rows have to satisfy: compliant rows carry a force that follows from their elongation, driven rows follow a
// function, the others stay at zero.
#pragma once

#include "rt/mechanics/joint_constraints.h"
#include "rt/model/model.h"
#include "rt/state/state.h"

namespace tactus::rt {

/// The linear law that holds at a motion: of a linear element its own, else value and derivatives of the element's law
/// by elongation and rate, written into `scratch`. Where an element carries nothing it keeps a millionth of its
/// stiffness in the tangent, so that every row stays solvable.
/// @param input  value of each actuator
/// @param rate   of the rows, as jointRowRates()
/// @rt no allocation, no throw, bounded work
const CompliantLaw& lawAt(const Model& model, const Joint& joint, const BodyMotion* motions, const double* input,
                          const double* phi, const double* rate, CompliantLaw& scratch) noexcept;

/// What the dampers of a compliant joint add to its force at a rate; `law` as lawAt() gave it there.
/// @param[out] force  joint.row_count values
/// @rt no allocation, no throw, bounded work
void dampingForce(const Model& model, const Joint& joint, const CompliantLaw& law, const double* input,
                  const double* phi, const double* rate, double* force) noexcept;

/// lambda = preload + K (phi - rest) + C rate, for law.rows rows.
/// @rt no allocation, no throw, fixed work
void compliantForce(const CompliantLaw& law, const double* phi, const double* rate, double* lambda) noexcept;

/// Energy stored in a compliant joint, J, zero at rest. Linear: preload (phi - rest) + (phi - rest) K (phi - rest) / 2.
/// @rt no allocation, no throw, bounded work
double storedEnergy(const Model& model, const Joint& joint, const BodyMotion* motions, const double* input,
                    const double* phi) noexcept;

/// Powers of a compliant joint, W.
struct LawPower {
  double dissipated = 0;
  double input = 0;  ///< what the road brings in as it lifts the wheel, and a preload that is an input
};

/// @rt no allocation, no throw, bounded work
LawPower lawPower(const Model& model, const Joint& joint, const BodyMotion* motions, const double* input,
                  const double* phi, const double* rate) noexcept;

/// (K + (2/dt) C)^-1: by how much a rise of lambda leaves the law behind within a step of the trapezoidal rule.
/// Positive definite by checkModel(), of one row by law.least. The leading law.rows x law.rows part counts.
/// @rt no allocation, no throw, fixed work
/// @source rt/doc/ali3p.md section 9
Matrix6d stepCompliance(const CompliantLaw& law, double dt) noexcept;

/// Values of the rows of one joint as its law counts them: angles continue `displacements`, those of State.
/// @param[out] phi, jacobian  joint.row_count rows
/// @rt no allocation, no throw, fixed work
void evaluateJointRows(const Model& model, const Joint& joint, const BodyMotion* motions, const double* displacements,
                       double* phi, RowJacobian* jacobian) noexcept;

/// Most rows of one joint.
inline constexpr int kMaxJointRows = 6;

/// Rates of the rows of a joint, H (v, omega_w).
/// @rt no allocation, no throw, fixed work
inline void jointRowRates(const Joint& joint, const RowJacobian* jacobian, const BodyMotion* motions,
                          double* rate) noexcept {
  const Six b1 = motionOf(motions, joint.body_1).rates(), b2 = motionOf(motions, joint.body_2).rates();
  for (int k = 0; k < joint.row_count; ++k) rate[k] = rowTimes(jacobian[k], b1, b2);
}

}  // namespace tactus::rt
