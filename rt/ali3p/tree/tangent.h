// The tangent of a step: the metric W of each body and the compliance of each row.
#pragma once

#include "rt/ali3p/level.h"
#include "rt/ali3p/settings.h"
#include "rt/ali3p/tree/workspace.h"
#include "rt/state/state.h"

namespace tactus::rt {

struct Model;

/// Finds the bodies that spin faster at the start of a step than Settings::gyroscopic_above allows.
/// @param dt    length of the step, s
/// @param from  the state at the beginning of the step
/// @rt no allocation, no throw, bounded work
void findFastSpins(const Model& model, double dt, const Settings& settings, const State& from,
                   TreeConditions& conditions) noexcept;

/// Forms W = (dt^2/4) diag(m_hat, J_hat)^-1 with J_hat = J_R + (dt^2/4) K_g, and the compliance of each row: of rigid
/// rows relative to that of the bodies they join, of compliant rows (K + (2/dt) C)^-1. J_R is R J R^T, more by
/// inertiaGain() while the positions are being solved. Drags add (dt/2) times their factor to the inertias, other force
/// elements what forEachAddedInertia() lists.
///
/// The rigidity of a compliant row is x^2 / (1 + x^2) with x = (omega dt / 2)^2, where omega is the frequency of the
/// row's own vibration. The projection of accelerations treats a row that the step cannot resolve as rigid, and changes
/// a row that the step resolves little. The rows of beams have no rigidity in plain steps.
///
/// K_g is limited: generalized eigenvalues of (dt^2/4) K_g against J_R below kStiffnessLimit are raised to it, so
/// that the metric stays positive.
/// If any body spins fast, or with Settings::gyroscopic_tangent, BodyTangent::turning is formed too, for the
/// unsymmetric fronts: of the bodies that spin fast, or of all, the whole derivative of the torques by the own
/// rotation, unless its symmetric part falls below half the inertia.
///
/// @param level  what is being solved for
/// @param[out] scratch  written over where the gyroscopic part is formed
/// @returns number of bodies whose K_g was limited, plus number of bodies without the gyroscopic part
/// @rt no allocation, no throw, bounded work
/// @source derived; rt/doc/ali3p.md sections 2, 3 and 9
int formTangent(const Model& model, double dt, Level level, const Settings& settings, const TreeIterate& iterate,
                const TreeConditions& conditions, const TreeRows& rows, const TreeLoads& loads, TreeUnknowns& scratch,
                TreeTangent& tangent) noexcept;

}  // namespace tactus::rt
