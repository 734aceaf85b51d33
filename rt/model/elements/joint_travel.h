// A sensor: travel of a joint, m, or its rate, m/s.
#pragma once

#include "rt/model/elements/element.h"

#include <string>

namespace tactus::rt {

struct JointTravelSpec {
  std::string joint;
  bool rate = false;

  static constexpr const char* kName = "joint_travel";
  static Fields fields();
};

void build(const JointTravelSpec& spec, Sensor& sensor, const ModelBuilder& builder);

}  // namespace tactus::rt
