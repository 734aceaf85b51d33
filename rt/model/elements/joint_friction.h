// Dry friction in a joint: a load with an internal state.
#pragma once

#include "rt/model/elements/element.h"

#include <string>
#include <vector>

namespace tactus::rt {

/// Sticks elastically up to a limit, then slides at it.
struct JointFrictionSpec {
  std::string joint;
  double limit = 0;         ///< N m about the axis; N along it
  double elastic = 0;       ///< how far it yields before it slides, rad or m
  bool along_axis = false;  ///< acts on the travel of the joint, not on its angle

  static constexpr const char* kName = "joint_friction";
  static constexpr const char* kTitle = "joint friction";
  static Fields fields();
};

/// Constants of dry friction on the angle or the travel of a joint, and of a brake, whose limit actuators scale.
struct JointFriction {
  int joint;
  double limit;      ///< N m or N; of a brake at full input
  double stiffness;  ///< before it slides, N m/rad or N/m
  bool along_axis, brake;
  std::vector<int> actuators;  ///< of a brake: their sum scales the limit
  int internal_states;         ///< one value in State: the displacement at which it would carry nothing

  template <typename Visit>
  void constants(Visit& visit) const {
    visit.structure(joint);
    visit.numbers(limit, stiffness);
    visit.structure(along_axis, brake, actuators);
    visit.layout(internal_states);
  }
};

void check(const JointFrictionSpec& spec, const FindingPlace& at);
void build(const JointFrictionSpec& spec, const ForceSpec& force, ModelBuilder& builder);

}  // namespace tactus::rt
