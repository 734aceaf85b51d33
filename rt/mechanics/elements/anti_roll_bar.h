// A torsion bar between the angles of two joints: torque -k twist - c d(twist)/dt, twist = angle_1 - ratio angle_2 -
// free_twist, on the bodies of joint 1 and, -ratio (1 + boost) times, on those of joint 2. The boost is that of a motor
// which follows the torque of the bar, as in a power steering: its power is an input.
#pragma once

#include "rt/mechanics/elements/force_element.h"

namespace tactus::rt {

struct AntiRollBarElement : ForceElement {
  static constexpr auto kElements = &ElementLists::anti_roll_bars;
  static constexpr bool kStoresEnergy = true;

  /// One end of a bar: a joint with its axis in world axes, its angle (rad) and rate (rad/s).
  struct End {
    const Joint& joint;
    double share;  ///< of the twist for each radian
    double gain;   ///< of the torque of the bar on this joint: share, with the boost
    Vector3d axis;
    double angle, rate;
  };

  struct Evaluation {
    End ends[2];
    double twist, rate, torque;  ///< rad, rad/s, N m; without displacements the rate alone holds
  };

  /// @rt no allocation, no throw, fixed work
  static Evaluation evaluate(const AntiRollBar& bar, const ElementContext& at) noexcept;

  /// @rt no allocation, no throw, fixed work
  static void addLoad(const AntiRollBar& bar, const Evaluation& e, const ElementContext& at, Load* loads) noexcept;

  /// The bar dissipates in its damping; the motor brings its torque times the rate of joint 2.
  static ElementPower power(const AntiRollBar& bar, const Evaluation& e) noexcept;

  /// J, zero without twist.
  static double storedEnergy(const AntiRollBar& bar, const Evaluation& e) noexcept;

  /// @source derived: the torque gain tau along an axis that turns with body 1 of its joint, on both bodies of both
  ///         joints
  static void differentiate(const AntiRollBar& bar, const ElementContext& at, std::vector<BodyLoadDerivative>& all);
};

}  // namespace tactus::rt
