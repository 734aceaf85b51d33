// A torsion bar between two joints that have an angle: a load.
#pragma once

#include "rt/model/elements/element.h"

#include <optional>
#include <string>

namespace tactus::rt {

/// Torque on body 2 of joint 1 = -(stiffness w + damping dw/dt) with the twist w = angle_1 - ratio angle_2 -
/// free_twist, and -ratio (1 + boost) times it on body 2 of joint 2.
struct AntiRollBarSpec {
  std::string joint_1, joint_2;
  double stiffness = 0;              ///< N m/rad
  double damping = 0;                ///< N m s/rad
  double ratio = 1;                  ///< -1 where both arms turn opposite ways when both wheels rise
  std::optional<double> free_twist;  ///< rad; default: the twist in the declared state
  double boost = 0;                  ///< torque of a motor on joint 2, as a share of that of the bar

  static constexpr const char* kName = "anti_roll_bar";
  static constexpr const char* kTitle = "anti-roll bar";
  static Fields fields();
};

struct AntiRollBar {
  int joint_1, joint_2;
  double stiffness, damping, ratio, free_twist, boost = 0;

  template <typename Visit>
  void constants(Visit& visit) const {
    visit.structure(joint_1, joint_2);
    visit.numbers(stiffness, damping, ratio, free_twist);
    if (boost != 0) visit.numbers(boost);  // the hashes of models without a boost stay
  }
};

void check(const AntiRollBarSpec& spec, const FindingPlace& at);
void build(const AntiRollBarSpec& spec, const ForceSpec& force, ModelBuilder& builder);

}  // namespace tactus::rt
