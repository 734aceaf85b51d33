// The tangent of a step: the metric W of each body and the compliance of each row.
#pragma once

#include "rt/ali3p/settings.h"
#include "rt/ali3p/workspace.h"
#include "rt/model/model.h"

namespace tactus::rt {

/// Lowest generalised eigenvalue of the scaled geometric stiffness against the inertia.
inline constexpr double kStiffnessLimit = -0.5;

/// J + K with K limited: with J = L L^T and L^-1 K L^-T = Q diag(k) Q^T, each k is raised to the limit.
/// @rt no allocation, no throw, bounded work
Matrix3d limitedSum(const Matrix3d& J, const Matrix3d& K) noexcept;

/// Forms W = (dt^2/4) diag(m, J_hat)^-1 with J_hat = R J R^T + (dt^2/4) K_g, and the compliance of each row relative
/// to that of the bodies it joins; of compliant rows, (K + (2/dt) C)^-1. Drags add (dt/2) times their factor to the
/// inertias, elements what forEachAddedInertia() says.
///
/// The rigidity of a compliant row is x^2 / (1 + x^2), x = (omega dt / 2)^2 of its own vibration: what the step cannot
/// resolve is projected as a rigid row is, what it resolves is left alone up to the sixth power of omega dt / 2.
///
/// K_g is limited: generalised eigenvalues of (dt^2/4) K_g against R J R^T below -1/2 are raised to -1/2, so that the
/// metric stays positive.
/// With Settings::gyroscopic_tangent, BodyTangent::turning besides, for the unsymmetric fronts: the whole derivative of
/// a body's torques by its own rotation, unless its symmetric part falls below half the inertia. Reads loads and
/// multipliers, and writes over Workspace::unknowns.
///
/// @returns number of bodies whose K_g was limited, or that went without the gyroscopic part
/// @rt no allocation, no throw, bounded work
/// @source derived; rt/doc/ali3p.md sections 2 and 3
int formTangent(const Model& model, double dt, const Settings& settings, Workspace& ws) noexcept;

}  // namespace tactus::rt
