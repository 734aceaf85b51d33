// The concept of a force element: one kind of load on bodies, as every phase of a step and every method sees it.
//
// A kind is a struct of static functions over its constants in the Model; elements.h lists the kinds. Every kind has
//
//   kElements                    its vector in ElementLists
//   Evaluation, evaluate()       what the element does at one motion
//   addLoad(), power()           its load on the bodies, and the power that it dissipates and brings in
//
// and states, by the constants of ForceElement that it overrides, what else it has:
//
//   kKept          the evaluation that gives the load is kept, and powers, tangent and internal states use it. Offline
//                  methods differentiate it by central differences over the bodies of forEachBody(). A kind without
//                  kKept is evaluated for each use and has exact derivatives: differentiate()
//   kStoresEnergy  storedEnergy()
//   kAddsInertia   addInertia(): its part of the tangent of a step
//   kInternalStates, kRates   number of values in State from firstState() on; the first kRates of them are states of
//                  first-order equations: beginStates(), storeStates(), writeRates()
//   kInChains      the chain solver knows the kind
//   kHasSignals    signals(): what it reports beside forces of joints
//   kInFours       evaluateFour() of a kept kind: four elements in lanes, where fitFour() says so
#pragma once

#include "rt/mechanics/joint_constraints.h"
#include "rt/mechanics/kinematics.h"
#include "rt/model/compliant_law.h"
#include "rt/model/elements/elements.h"

#include <span>
#include <vector>

namespace tactus::rt {

struct Model;

/// What an evaluation depends on besides the motions.
struct ElementInput {
  const double* displacements;     ///< of State, which unwrapped angles continue; null if no angle is needed
  const double* internal_states;   ///< of State, at the beginning of the step
  std::span<const double> values;  ///< of each actuator, at the end of the step
  double dt;                       ///< length of the step, s; 0: the internal states belong to the motion as they are
  bool predicted = false;          ///< the motion is the predictor of the step: an iteration follows
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
  static constexpr bool kInFours = false;
  static constexpr int kInternalStates = 0;
  static constexpr int kRates = 0;
};

/// Decay rate of an internal state beyond its limit, 1/s, in methods that integrate internal states; the step of the
/// tick moves such a state to its limit at once. A friction that slides at a rate v has its rest position v /
/// kYieldRate behind the limit; one that stops with a deceleration a sticks a / kYieldRate^2 away from the exact place.
inline constexpr double kYieldRate = 1000;

}  // namespace tactus::rt
