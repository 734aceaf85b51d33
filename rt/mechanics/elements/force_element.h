// The concept of a force element: one kind of load on bodies, as every phase of a step and every method sees it.
//
// A kind is a struct of static functions over its constants in the Model; elements.h lists the kinds. Every kind has
//
//   kElements                    its vector in Model
//   Evaluation, evaluate()       what the element does at one motion
//   addLoad(), power()           its load on the bodies, and the power that it dissipates and brings in
//
// and states, by the constants of ForceElement that it overrides, what else it has:
//
//   kKept          the evaluation is kept from the load on, for powers, tangent and internal states; differentiated by
//                  differences over the bodies of forEachBody(). Other kinds are evaluated where they are asked and
//                  have exact derivatives: differentiate()
//   kStoresEnergy  storedEnergy()
//   kAddsInertia   addInertia(): its part of the tangent of a step
//   kInternalStates, kRates   values in State from firstState() on, of which the first kRates are states of first
//                  order: beginStates(), storeStates(), writeRates()
//   kInChains      the chain solver knows the kind
//   kHasSignals    signals(): what it reports beside forces of joints
#pragma once

#include "rt/mechanics/joint_constraints.h"
#include "rt/mechanics/kinematics.h"
#include "rt/model/model.h"

#include <span>
#include <vector>

namespace tactus::rt {

/// What an evaluation rests on beside the motions.
struct ElementInput {
  const double* displacements;     ///< of State: what angles continue; null where no angle is asked for
  const double* internal_states;   ///< of State, at the beginning of the step
  std::span<const double> values;  ///< of each actuator, at the end of the step
  double dt;                       ///< length of the step, s; 0: the internal states are those of the motion
};

/// The mechanism at one motion. Motions have r, R, v and omega_w.
struct ElementContext {
  const Model& model;
  const BodyMotion* motions;
  ElementInput input;
};

/// Powers of force elements, W.
struct ElementPower {
  double dissipated = 0;
  double input = 0;  ///< brought in by the wind, the road, an engine, or a preload that is an input
};

/// Derivative of the load (force; torque) on one body by (dr, dphi) and by (v, omega_w) of another body or the same.
struct BodyLoadDerivative {
  int loaded, moved;  ///< body indices
  Matrix6d by_position = Matrix6d::Zero(), by_velocity = Matrix6d::Zero();
};

/// A value of an element that becomes a signal, named "<element>.<name>".
template <class Evaluation>
struct ElementSignal {
  const char *name, *unit, *text;
  double Evaluation::*value;
};

/// A force element has none of these properties unless its kind overrides the constant.
struct ForceElement {
  static constexpr bool kKept = false;
  static constexpr bool kStoresEnergy = false;
  static constexpr bool kAddsInertia = false;
  static constexpr bool kInChains = false;
  static constexpr bool kHasSignals = false;
  static constexpr int kInternalStates = 0;
  static constexpr int kRates = 0;
};

/// 1/s. What is beyond the limit of an internal state is taken back at this rate, where a method integrates the state:
/// a friction that slides at a rate v is ahead of its rest by v over this; where it stops, by the deceleration over the
/// square of this.
inline constexpr double kYieldRate = 1000;

}  // namespace tactus::rt
