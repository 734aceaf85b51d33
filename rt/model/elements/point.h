// The primitive point as a joint: two points coincide, 3 rows.
#pragma once

#include "rt/model/elements/element.h"

#include <cstdint>

namespace tactus::rt {

struct PointSpec {
  Vector3d point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();

  static constexpr const char* kName = "point";
  static constexpr const char* kTitle = "point";
  static constexpr std::uint8_t kNumber = 5;
  static Fields fields();
};

void build(const PointSpec& spec, JointBuilder& joint);

}  // namespace tactus::rt
