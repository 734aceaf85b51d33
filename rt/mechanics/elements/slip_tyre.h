// A wheel on a road: its contact, the deflection of its tread, and the load on its body.
//
// The slip velocity of the contact deflects the tread, and rolling transports the tread out of the contact,
//
//   du/dt = -V_s - |V| u / sigma        along and across,
//
// and slip is u / sigma. This gives a rolling tyre its relaxation, and makes the tread of a standing wheel a spring. V
// is the speed at which the tread runs through the contact, as the law of the tyre counts it (mechanics/tyres/). The
// deflections u and their rates at the end of the last step are the internal states.
#pragma once

#include "rt/mechanics/elements/force_element.h"

#include <Eigen/Geometry>

namespace tactus::rt {

template <class T>
using Vec3 = Eigen::Matrix<T, 3, 1>;

/// What a tyre does at one motion, or four in lanes (T is Lanes<4>). All zero where it does not touch, but for `normal`
/// and `deflection`.
template <class T>
struct TyreStateOf {
  static Vec3<T> none() noexcept { return {T(0), T(0), T(0)}; }

  T deflection = 0;        ///< radial, m; below zero: clear of the road
  T load = 0;              ///< normal to the road, N; never below zero
  T ratio = 0, angle = 0;  ///< slip ratio and angle (rad), with the sign of their force
  T camber = 0;            ///< rad, positive if the top leans to the right
  T longitudinal = 0;      ///< force on the wheel, forward, N
  T lateral = 0;           ///< force on the wheel, to its left, N
  T aligning = 0;          ///< moment about the normal of the road, N m
  T resistance = 0;        ///< rolling resistance, moment about the wheel's axis, N m
  T stored = 0;            ///< energy of the radial deflection, J
  T dissipated = 0;        ///< W; includes what the tread stores until it gives it back
  T internal_states[kSlipTyreInternalStates] = {0, 0, 0, 0};  ///< at the end of the step
  T tread_rate[2] = {0, 0};                                   ///< du/dt where no limit holds the deflections, m/s
  struct {
    Vec3<T> force = none(), torque = none();
  } on_body;  ///< about the body's center of mass, world axes, N and N m

  // For the tangent of a step: directions at the contact, and the velocity derivatives of the force along them.
  Vec3<T> normal = none(), forward = none(), left = none();
  Vec3<T> arm = none();          ///< from the center of mass to the contact
  T stiffness = 0, damping = 0;  ///< N/m, N s/m
  T drag[2] = {0, 0};            ///< N s/m
};
using TyreState = TyreStateOf<double>;

struct SlipTyreElement : ForceElement {
  static constexpr auto kElements = &ElementLists::slip_tyres;
  static constexpr auto kNames = &ElementLists::slip_tyre_names;
  static constexpr bool kKept = true;
  static constexpr bool kStoresEnergy = true;
  static constexpr bool kAddsInertia = true;
  static constexpr bool kHasSignals = true;
  static constexpr bool kInFours = true;
  static constexpr int kInternalStates = kSlipTyreInternalStates;
  static constexpr int kRates = 2;

  using Evaluation = TyreState;

  /// @rt no allocation, no throw, work bounded by the obstacles of the road
  /// @source H. B. Pacejka, Tire and Vehicle Dynamics, sections 7.2 and 8.6, with the trapezoidal rule for u
  static TyreState evaluate(const SlipTyre& tyre, const ElementContext& at) noexcept;

  /// Whether four tyres have the Magic Formula with the same coefficients.
  static bool fitFour(const SlipTyre* tyres) noexcept {
    return std::holds_alternative<MagicFormulaGrip>(tyres[0].grip) && tyres[1].like == tyres[0].like &&
           tyres[2].like == tyres[0].like && tyres[3].like == tyres[0].like;
  }

  /// evaluate() of four such tyres in lanes. Sines, cosines and the like may differ from those of one by 4 units in the
  /// last place.
  /// @rt no allocation, no throw, work bounded by the obstacles of the roads
  static void evaluateFour(const SlipTyre* tyres, const ElementContext& at, TyreState* states) noexcept;

  /// @rt no allocation, no throw, fixed work
  static void addLoad(const SlipTyre& tyre, const TyreState& s, const ElementContext& at, Load* loads) noexcept;

  static ElementPower power(const SlipTyre&, const TyreState& s) noexcept { return {s.dissipated, 0}; }

  static double storedEnergy(const SlipTyre&, const TyreState& s) noexcept { return s.stored; }

  /// (dt/2) times the damping and (dt^2/4) times the stiffness along the three directions at the contact; the mean of
  /// the three as a mass.
  template <class Add>
  static void addInertia(const Model&, const SlipTyre& tyre, const TyreState& s, double dt, Add&& add) noexcept {
    const double h = 0.5 * dt;
    const Vector3d directions[] = {s.normal, s.forward, s.left};
    const double damping[] = {s.damping + h * s.stiffness, s.drag[0], s.drag[1]};
    double mass = 0;
    Matrix3d inertia = Matrix3d::Zero();
    for (int k = 0; k < 3; ++k) {
      const Vector3d turning = s.arm.cross(directions[k]);
      mass += h * damping[k] / 3;
      inertia += h * damping[k] * turning * turning.transpose();
    }
    add(tyre.body, mass, inertia);
  }

  template <class F>
  static void forEachBody(const Model&, const SlipTyre& tyre, F&& f) {
    f(tyre.body);
  }

  static int firstState(const SlipTyre& tyre) noexcept { return tyre.internal_states; }

  /// A tread without deflection, at rest.
  static void beginStates(const SlipTyre&, const ElementContext&, double*) noexcept {}

  /// @param[out] states  of the whole Model
  static void storeStates(const SlipTyre& tyre, const TyreState& s, double* states) noexcept;

  /// du/dt, minus kYieldRate times the part of u beyond the limit.
  /// @param[in] states  of the whole Model. @param[out] rates  likewise
  static void writeRates(const SlipTyre& tyre, const TyreState& s, const double* states, double* rates) noexcept;

  static std::span<const ElementSignal<TyreState>> signals(const SlipTyre& tyre) noexcept;
};

}  // namespace tactus::rt
