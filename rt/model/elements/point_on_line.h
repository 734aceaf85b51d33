// Point 2 stays on the line through point 1 along axis 1: 2 rows. The joint has a travel.
#pragma once

#include "rt/model/elements/element.h"

#include <cstdint>

namespace tactus::rt {

struct PointOnLineSpec {
  Vector3d axis_1 = Vector3d::Zero(), point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();

  static constexpr const char* kName = "point_on_line";
  static constexpr const char* kTitle = "point on line";
  static constexpr std::uint8_t kNumber = 11;
  static constexpr bool kHasTravel = true;
  static Fields fields();
};

void build(const PointOnLineSpec& spec, JointBuilder& joint);

}  // namespace tactus::rt
