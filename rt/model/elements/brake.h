// A brake on a joint that has an angle: dry friction whose limit follows actuators.
#pragma once

#include "rt/model/elements/element.h"

#include <string>

namespace tactus::rt {

struct BrakeSpec {
  std::string joint;
  double torque = 0;   ///< at full input, N m
  double elastic = 0;  ///< rad

  static constexpr const char* kName = "brake";
  static constexpr const char* kTitle = "brake";
  static Fields fields();
};

/// Its constants are a JointFriction.
void build(const BrakeSpec& spec, const ForceSpec& force, ModelBuilder& builder);

}  // namespace tactus::rt
