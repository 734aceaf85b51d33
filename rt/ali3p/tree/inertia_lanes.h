// Forces of inertia of all bodies, four at a time.
#pragma once

#include "rt/ali3p/tree/workspace.h"

namespace tactus::rt {

struct Model;

/// Loads less forces of inertia of each body: force - m (a - g) and torque - (R J alpha + omega x J omega), N and N m,
/// world axes. Six numbers a body; what the joints load is left out.
/// @rt no allocation, no throw, fixed work
void loadsLessInertia(const Model& model, const TreeIterate& iterate, const TreeLoads& loads,
                      double* right_sides) noexcept;

}  // namespace tactus::rt
