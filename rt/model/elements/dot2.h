// The primitive dot-2 as a joint: point 2 stays in the plane through point 1 normal to axis 1, 1 row.
#pragma once

#include "rt/model/elements/element.h"

#include <cstdint>

namespace tactus::rt {

struct Dot2Spec {
  Vector3d axis_1 = Vector3d::Zero(), point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();

  static constexpr const char* kName = "dot2";
  static constexpr const char* kTitle = "dot2";
  static constexpr std::uint8_t kNumber = 4;
  static Fields fields();
};

void build(const Dot2Spec& spec, JointBuilder& joint);

}  // namespace tactus::rt
