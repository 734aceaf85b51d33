// Dry friction in a joint, and brakes: a spring that slips at a limit force and sticks again where the joint stops.
//
// Below the limit the force is stiffness (rest - x) and a damping of stiffness times kStickTime against the rate. At
// the limit `rest` follows the motion, so that the force never exceeds the limit. The force is continuous, and nothing
// creeps at standstill. The limit of a brake is scaled by the sum of its actuators. `rest` is the internal state.
#pragma once

#include "rt/mechanics/elements/force_element.h"

#include <algorithm>

namespace tactus::rt {

/// Time over which a sticking joint gives in, s: its damping is the stiffness times this.
inline constexpr double kStickTime = 5e-3;

struct FrictionState {
  double force = 0;       ///< on body 2 along the displacement, N m or N; beyond the limit at predictors alone
  double limit = 0;       ///< N m or N
  double rest = 0;        ///< displacement at which the spring has no force, at the end of the step, rad or m
  double dissipated = 0;  ///< W; includes what the spring stores until it gives it back
  // Of the tangent.
  double stiffness = 0;        ///< N m/rad or N/m: force over deflection, also where it slides
  double share = 1;            ///< 1 + the smaller inertia of the two bodies over the larger one
  double largest_inertia = 0;  ///< of the two bodies, kg m^2 or kg; infinite of ground
  bool sliding = true;
  Vector3d axis = Vector3d::Zero();  ///< world
};

struct JointFrictionElement : ForceElement {
  static constexpr auto kElements = &ElementLists::frictions;
  static constexpr auto kNames = &ElementLists::friction_names;
  static constexpr bool kKept = true;
  static constexpr bool kAddsInertia = true;
  static constexpr bool kHasSignals = true;
  static constexpr int kInternalStates = 1;
  static constexpr int kRates = 1;

  using Evaluation = FrictionState;

  /// @rt no allocation, no throw, fixed work
  /// @source elasto-plastic friction: the stop operator of L. Prandtl
  static FrictionState evaluate(const JointFriction& friction, const ElementContext& at) noexcept;

  /// The force and its opposite on both bodies of the joint; along an axis both act where point 2 is.
  /// @rt no allocation, no throw, fixed work
  static void addLoad(const JointFriction& friction, const FrictionState& s, const ElementContext& at,
                      Load* loads) noexcept;

  static ElementPower power(const JointFriction&, const FrictionState& s) noexcept { return {s.dissipated, 0}; }

  /// (dt^2/4) of the stiffness and (dt/2) of the damping, on each body of the joint; couplings between the two, and
  /// between translation and rotation, are left out. A sliding joint has the secant of its law: with the tangent, which
  /// is zero, the iteration of a light joint that stops goes from one limit to the other.
  /// @source rt/doc/ali3p.md section 14, (51)
  template <class Add>
  static void addInertia(const Model& model, const JointFriction& friction, const FrictionState& s, double dt,
                         Add&& add) noexcept {
    if (s.stiffness == 0) return;
    const double h = 0.5 * dt,
                 size = s.share * std::min(h * (h + kStickTime) * s.stiffness, s.largest_inertia);  // ali3p (51)
    double mass = 0;
    Matrix3d inertia = Matrix3d::Zero();
    if (friction.along_axis)
      mass = size;
    else
      inertia = size * s.axis * s.axis.transpose();
    forEachBody(model, friction, [&](int body) noexcept { add(body, mass, inertia); });
  }

  /// `Mechanism` is the Model, which only a caller needs complete.
  template <class Mechanism, class F>
  static void forEachBody(const Mechanism& model, const JointFriction& friction, F&& f) {
    const Joint& joint = model.joints[static_cast<std::size_t>(friction.joint)];
    if (joint.body_1 != kGround) f(joint.body_1);
    if (joint.body_2 != kGround) f(joint.body_2);
  }

  static int firstState(const JointFriction& friction) noexcept { return friction.internal_states; }

  /// Rest where the joint is: no force.
  /// @param[out] states  of the whole Model
  static void beginStates(const JointFriction& friction, const ElementContext& at, double* states) noexcept;

  static void storeStates(const JointFriction& friction, const FrictionState& s, double* states) noexcept {
    states[friction.internal_states] = s.rest;
  }

  /// kYieldRate times the part beyond the limit; below the limit `rest` is constant.
  /// @param[in] states  of the whole Model. @param[out] rates  likewise
  static void writeRates(const JointFriction& friction, const FrictionState& s, const double* states,
                         double* rates) noexcept {
    rates[friction.internal_states] = kYieldRate * (s.rest - states[friction.internal_states]);
  }

  static std::span<const ElementSignal<FrictionState>> signals(const JointFriction& friction) noexcept;
};

}  // namespace tactus::rt
