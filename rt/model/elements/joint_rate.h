// A sensor: rate of the angle of a joint, rad/s.
#pragma once

#include "rt/model/elements/element.h"

#include <string>

namespace tactus::rt {

struct JointRateSpec {
  std::string joint;

  static constexpr const char* kName = "joint_rate";
  static Fields fields();
};

void build(const JointRateSpec& spec, Sensor& sensor, const ModelBuilder& builder);

}  // namespace tactus::rt
