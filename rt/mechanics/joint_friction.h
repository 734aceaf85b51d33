// Dry friction in a joint, and brakes: a spring that lets go at a limit and takes hold again where it stops.
#pragma once

#include "rt/mechanics/joint_constraints.h"
#include "rt/mechanics/kinematics.h"
#include "rt/model/model.h"

#include <span>

namespace tactus::rt {

struct FrictionState {
  double force = 0;  ///< on body 2 along the displacement, N m or N; never beyond the limit
  double limit = 0;  ///< N m or N
  double rest = 0;   ///< the displacement at which it would carry nothing; the internal states, at the end of the step
  double dissipated = 0;  ///< W; what it stores counts until it gives it back
  bool sliding = true;
  Vector3d axis = Vector3d::Zero();  ///< world
};

/// Below the limit: stiffness (rest - x) and a damping of stiffness times 5 ms against the rate. At the limit `rest`
/// follows, so that the spring never holds more than the limit: no force jumps, and nothing creeps at a stand.
/// @param displacements  of State: what angles continue
/// @param internal states       one value at the beginning of the step
/// @rt no allocation, no throw, fixed work
/// @source elasto-plastic friction: the stop operator of L. Prandtl
FrictionState evaluateFriction(const Model& model, const JointFriction& friction, const BodyMotion* motions,
                               const double* displacements, const double* internal_states,
                               std::span<const double> input) noexcept;

/// Adds its load to both bodies of the joint.
/// @rt no allocation, no throw, fixed work
void addFrictionLoad(const Model& model, const JointFriction& friction, const FrictionState& state,
                     const BodyMotion* motions, Load* loads) noexcept;

/// Time over which a sticking joint gives in, s: its damping is the stiffness times this.
inline constexpr double kStickTime = 5e-3;

}  // namespace tactus::rt
