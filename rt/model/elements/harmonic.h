// A harmonic function of time, which a drive follows.
#pragma once

#include "rt/model/elements/element.h"

namespace tactus::rt {

/// offset + amplitude sin(angular_frequency t + phase)
struct HarmonicSpec {
  double offset = 0, amplitude = 0, angular_frequency = 0, phase = 0;

  static constexpr const char* kName = "harmonic";
  static Fields fields();
};

void build(const HarmonicSpec& spec, Drive& drive);

}  // namespace tactus::rt
