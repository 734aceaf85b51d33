// Loads of the elements that are no rows: tyres with slip, friction and brakes, powertrains. They are evaluated once a
// motion and then asked for loads, powers, energy and the internal states that they keep.
#pragma once

#include "rt/mechanics/joint_friction.h"
#include "rt/mechanics/powertrain.h"
#include "rt/mechanics/slip_tyre.h"
#include "rt/state/state.h"

#include <Eigen/Geometry>

#include <span>
#include <vector>

namespace tactus::rt {

/// What an evaluation rests on beside the motions.
struct ElementInput {
  const double* displacements;     ///< of State: what angles continue
  const double* internal_states;   ///< of State, at the beginning of the step
  std::span<const double> values;  ///< of each actuator, at the end of the step
  double dt;                       ///< length of the step, s; 0: the internal states is that of the motion
};

/// Elements at one motion; sized once for a Model.
struct ElementStates {
  std::vector<TyreState> tyres;
  std::vector<FrictionState> frictions;
  std::vector<PowertrainState> powertrains;

  ElementStates() = default;
  explicit ElementStates(const Model& model)
      : tyres(model.slip_tyres.size()), frictions(model.frictions.size()), powertrains(model.powertrains.size()) {}

  bool empty() const noexcept { return tyres.empty() && frictions.empty() && powertrains.empty(); }
};

/// True if the model has any of these elements.
bool hasElements(const Model& model) noexcept;

/// @rt no allocation, no throw, bounded work
void evaluateElements(const Model& model, const BodyMotion* motions, const ElementInput& input,
                      ElementStates& elements) noexcept;

/// The same for a State as it stands. Not for the tick: allocates.
ElementStates elementsOf(const Model& model, const StateView& state, const BodyMotion* motions);

/// @rt no allocation, no throw, fixed work
void addElementLoads(const Model& model, const ElementStates& elements, const BodyMotion* motions,
                     Load* loads) noexcept;

struct ElementPower {
  double dissipated = 0, input = 0;  ///< W
};

/// @rt no allocation, no throw, fixed work
ElementPower powerOf(const ElementStates& elements) noexcept;

/// Writes what the elements keep until the next step.
/// @rt no allocation, no throw, fixed work
void storeInternalStates(const Model& model, const ElementStates& elements, double* internal_states) noexcept;

/// Sets the internal states to that of elements which have just come to be at this motion: treads undeflected, friction
/// without load.
void beginInternalStates(const Model& model, const BodyMotion* motions, const double* displacements,
                         double* internal_states);

/// What the elements add to the inertia of a body in a step of the trapezoidal rule: (dt^2/4) of their stiffness and
/// (dt/2) of their damping.
struct AddedInertia {
  double mass = 0;                      ///< kg, mean of the three directions
  Matrix3d inertia = Matrix3d::Zero();  ///< kg m^2, world axes
};

/// Calls add(body, AddedInertia) for each tyre and each side of a sticking joint. Couplings between the two bodies of a
/// joint, and between translation and rotation, are left out.
/// @rt no allocation, no throw, fixed work
template <class Add>
void forEachAddedInertia(const Model& model, const ElementStates& elements, double dt, Add&& add) noexcept {
  const double h = 0.5 * dt;
  for (std::size_t i = 0; i < model.slip_tyres.size(); ++i) {
    const TyreState& s = elements.tyres[i];
    const Vector3d directions[] = {s.normal, s.forward, s.left};
    const double damping[] = {s.damping + h * s.stiffness, s.drag[0], s.drag[1]};
    AddedInertia added;
    for (int k = 0; k < 3; ++k) {
      const Vector3d turning = s.arm.cross(directions[k]);
      added.mass += h * damping[k] / 3;
      added.inertia += h * damping[k] * turning * turning.transpose();
    }
    add(model.slip_tyres[i].body, added);
  }
  for (std::size_t i = 0; i < model.frictions.size(); ++i) {
    const FrictionState& s = elements.frictions[i];
    if (s.sliding) continue;
    const JointFriction& friction = model.frictions[i];
    const double size = h * (h + kStickTime) * friction.stiffness;
    AddedInertia added;
    if (friction.along_axis)
      added.mass = size / 3;
    else
      added.inertia = size * s.axis * s.axis.transpose();
    const Joint& joint = model.joints[static_cast<std::size_t>(friction.joint)];
    if (joint.body_1 != kGround) add(joint.body_1, added);
    if (joint.body_2 != kGround) add(joint.body_2, added);
  }
}

}  // namespace tactus::rt
