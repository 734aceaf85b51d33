// A cylindrical joint: two axes lie on one line, 4 rows. It has an angle and a travel.
#pragma once

#include "rt/model/elements/element.h"

#include <cstdint>

namespace tactus::rt {

/// Both axes, through the points, lie on one line.
struct CylindricalSpec {
  Vector3d point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();
  Vector3d axis_1 = Vector3d::Zero(), axis_2 = Vector3d::Zero();
  double initial_angle = 0;  ///< rad

  static constexpr const char* kName = "cylindrical";
  static constexpr const char* kTitle = "cylindrical";
  static constexpr std::uint8_t kNumber = 7;
  static constexpr bool kHasAngle = true;
  static constexpr bool kHasTravel = true;
  static Fields fields();
};

void check(const CylindricalSpec& spec, const JointSpec& joint, const FindingPlace& at);
void build(const CylindricalSpec& spec, JointBuilder& joint);

}  // namespace tactus::rt
