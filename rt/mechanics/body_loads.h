// Loads that are neither rows nor inputs: drags, air, anti-roll bars. The tick takes them at the iterate and leaves all
// but drags out of its tangent: they are soft against the inertia that they act on.
#pragma once

#include "rt/mechanics/joint_constraints.h"
#include "rt/mechanics/kinematics.h"
#include "rt/model/model.h"

#include <vector>

namespace tactus::rt {

/// Adds all of them to `loads` (one a body; torques about the centres of mass, world axes). Reads r, R, v and omega_w.
/// @param[in] displacements  of State: what the angles of the bars' joints continue
/// @rt no allocation, no throw, fixed work
void addBodyLoads(const Model& model, const BodyMotion* motions, const double* displacements, Load* loads) noexcept;

/// Powers of all of them, W.
struct LoadPower {
  double dissipated = 0;  ///< by drags, by air against the body's way through it, by the damping of bars
  double input = 0;       ///< what the wind brings in
};

/// @rt no allocation, no throw, fixed work
LoadPower bodyLoadPower(const Model& model, const BodyMotion* motions) noexcept;

/// Energy of the anti-roll bars, J, zero where they are not twisted.
/// @rt no allocation, no throw, fixed work
double barEnergy(const Model& model, const BodyMotion* motions, const double* displacements) noexcept;

/// Derivative of the load (force; torque) on one body by (dr, dphi) and by (v, omega_w) of another or the same.
struct BodyLoadDerivative {
  int loaded, moved;  ///< body indices
  Matrix6d by_position, by_velocity;
};

/// Every dependence of these loads on the motion of the bodies, exact. Reads r, R, v and omega_w.
std::vector<BodyLoadDerivative> differentiateBodyLoads(const Model& model, const BodyMotion* motions,
                                                       const double* displacements);

}  // namespace tactus::rt
