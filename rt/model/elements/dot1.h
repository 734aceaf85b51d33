// The primitive dot-1 as a joint: two directions, one fixed in each body, stay perpendicular, 1 row.
#pragma once

#include "rt/model/elements/element.h"

#include <cstdint>

namespace tactus::rt {

struct Dot1Spec {
  Vector3d axis_1 = Vector3d::Zero(), axis_2 = Vector3d::Zero();

  static constexpr const char* kName = "dot1";
  static constexpr const char* kTitle = "dot1";
  static constexpr std::uint8_t kNumber = 3;
  static Fields fields();
};

void build(const Dot1Spec& spec, JointBuilder& joint);

}  // namespace tactus::rt
