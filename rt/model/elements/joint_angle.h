// A sensor: angle of a joint, rad, unwrapped.
#pragma once

#include "rt/model/elements/element.h"

#include <string>

namespace tactus::rt {

struct JointAngleSpec {
  std::string joint;

  static constexpr const char* kName = "joint_angle";
  static Fields fields();
};

void build(const JointAngleSpec& spec, Sensor& sensor, const ModelBuilder& builder);

}  // namespace tactus::rt
