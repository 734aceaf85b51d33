// A sensor: tension or torque of a spring, or load of a vertical tyre.
#pragma once

#include "rt/model/elements/element.h"

#include <string>

namespace tactus::rt {

struct ForceValueSpec {
  std::string force;

  static constexpr const char* kName = "force_value";
  static Fields fields();
};

void build(const ForceValueSpec& spec, Sensor& sensor, const ModelBuilder& builder);

}  // namespace tactus::rt
