// Inertias of all bodies in the tangent, and their forces of inertia, four bodies at a time.
#pragma once

#include "rt/ali3p/tree/workspace.h"

namespace tactus::rt {

struct Model;

/// Loads less forces of inertia of each body: force - m (a - g) and torque - (R J alpha + omega x J omega), N and N m,
/// world axes. Six numbers a body; what the joints load is left out.
/// @rt no allocation, no throw, fixed work
void loadsLessInertia(const Model& model, const TreeIterate& iterate, const TreeLoads& loads,
                      double* right_sides) noexcept;

/// m_hat and J_hat = J_R + K of each body without what force elements add, ali3p (9). K is that of the rows,
/// TreeTangent::stiffness, limited. Sets has_inertia_gain.
/// @returns number of own bodies whose K was limited
/// @rt no allocation, no throw, fixed work except for bodies whose geometric stiffness has to be limited
int formInertias(const Model& model, double dt, double least_gain, const TreeIterate& iterate,
                 TreeTangent& tangent) noexcept;

/// W of each body from its m_hat and J_hat, ali3p (9).
/// @param scale  dt^2 / 4
/// @rt no allocation, no throw, fixed work
void invertInertias(double scale, const TreeIterate& iterate, TreeTangent& tangent) noexcept;

}  // namespace tactus::rt
