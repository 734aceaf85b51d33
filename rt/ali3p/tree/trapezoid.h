// The trapezoidal rule for all bodies: predictor, rates of an iterate, update by an increment.
#pragma once

#include "rt/ali3p/tree/workspace.h"
#include "rt/state/state.h"

namespace tactus::rt {

struct Model;

/// Derivatives of omega_w and alpha_w of an iterate by its rotation dphi, all in world axes.
struct RotationRateDerivatives {
  Matrix3d omega, alpha;
};

/// The derivatives that belong to the trapezoidal rule. Reads p, p_prev, spin and drift; omega_w and alpha_w.
/// @rt no allocation, no throw, fixed work
/// @source derived; rt/doc/ali3p.md section 2
RotationRateDerivatives differentiateRotationRates(double dt, const RotationIterate& q,
                                                   const BodyMotion& motion) noexcept;

/// Second-order Taylor predictor of every body; multipliers start at those of the last step.
/// @rt no allocation, no throw, fixed work
/// @source [DCA3] section 3.1
void predict(const Model& model, double dt, const State& from, TreeIterate& iterate) noexcept;

/// Takes the positions and rotation matrices of a State; the other members of the motions stay.
/// @rt no allocation, no throw, fixed work
void loadPlaces(const State& from, TreeIterate& iterate) noexcept;

/// Takes the motions and multipliers of a State as the iterate. The start of the step in `rotations` stays as it is.
/// @rt no allocation, no throw, fixed work
void loadIterate(const Model& model, const State& from, TreeIterate& iterate) noexcept;

/// Adds the solution of a position solve to positions and multipliers, with the rates that the rule gives them.
/// @returns largest increment of a body, m; rotations count with the model's length
/// @rt no allocation, no throw, fixed work
double applyIncrement(const Model& model, double dt, const TreeUnknowns& unknowns, TreeIterate& iterate) noexcept;

}  // namespace tactus::rt
