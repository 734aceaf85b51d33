// A revolute joint: two points and two axes coincide, 5 rows. It has an angle.
#pragma once

#include "rt/model/elements/element.h"

#include <cstdint>

namespace tactus::rt {

struct RevoluteSpec {
  Vector3d point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();
  Vector3d axis_1 = Vector3d::Zero(), axis_2 = Vector3d::Zero();
  double initial_angle = 0;  ///< rad

  static constexpr const char* kName = "revolute";
  static constexpr const char* kTitle = "revolute";
  static constexpr std::uint8_t kNumber = 1;
  static constexpr bool kHasAngle = true;
  static Fields fields();
};

void check(const RevoluteSpec& spec, const JointSpec& joint, const FindingPlace& at);
void build(const RevoluteSpec& spec, JointBuilder& joint);

}  // namespace tactus::rt
