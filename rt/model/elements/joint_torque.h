// An actuator: torque about the axis of a joint.
#pragma once

#include "rt/model/elements/element.h"

#include <string>

namespace tactus::rt {

struct JointTorqueSpec {
  std::string joint;

  static constexpr const char* kName = "joint_torque";
  static Fields fields();
};

void build(const JointTorqueSpec& spec, Actuator& actuator, const ModelBuilder& builder);

}  // namespace tactus::rt
