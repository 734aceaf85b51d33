// Point 2 stays in the plane through point 1 normal to axis 1: 1 row.
#pragma once

#include "rt/model/elements/element.h"

#include <cstdint>

namespace tactus::rt {

struct PointOnPlaneSpec {
  Vector3d axis_1 = Vector3d::Zero(), point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();

  static constexpr const char* kName = "point_on_plane";
  static constexpr const char* kTitle = "point on plane";
  static constexpr std::uint8_t kNumber = 12;
  static Fields fields();
};

void build(const PointOnPlaneSpec& spec, JointBuilder& joint);

}  // namespace tactus::rt
