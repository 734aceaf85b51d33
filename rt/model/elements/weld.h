// A weld: two points coincide, and the bodies do not turn against each other, 6 rows.
#pragma once

#include "rt/model/elements/element.h"

#include <cstdint>

namespace tactus::rt {

struct WeldSpec {
  Vector3d point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();

  static constexpr const char* kName = "weld";
  static constexpr const char* kTitle = "weld";
  static constexpr std::uint8_t kNumber = 10;
  static Fields fields();
};

void build(const WeldSpec& spec, JointBuilder& joint);

}  // namespace tactus::rt
