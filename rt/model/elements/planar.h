// A planar joint: two planes coincide, 3 rows. It has an angle.
#pragma once

#include "rt/model/elements/element.h"

#include <cstdint>

namespace tactus::rt {

/// Both planes, through the points and normal to the axes, coincide.
struct PlanarSpec {
  Vector3d point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();
  Vector3d axis_1 = Vector3d::Zero(), axis_2 = Vector3d::Zero();
  double initial_angle = 0;  ///< rad

  static constexpr const char* kName = "planar";
  static constexpr const char* kTitle = "planar";
  static constexpr std::uint8_t kNumber = 9;
  static constexpr bool kHasAngle = true;
  static Fields fields();
};

void check(const PlanarSpec& spec, const JointSpec& joint, const FindingPlace& at);
void build(const PlanarSpec& spec, JointBuilder& joint);

}  // namespace tactus::rt
