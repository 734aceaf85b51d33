// The function of a drive that actuators give.
#pragma once

#include "rt/model/elements/element.h"

namespace tactus::rt {

/// Value, rate and acceleration come from the actuators that name the drive.
struct InputFunctionSpec {
  static constexpr const char* kName = "input";
  static Fields fields();
};

void build(const InputFunctionSpec& spec, Drive& drive);

}  // namespace tactus::rt
