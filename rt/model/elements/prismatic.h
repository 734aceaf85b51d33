// A prismatic joint: a body slides along an axis of another one and does not turn, 5 rows. It has a travel.
#pragma once

#include "rt/model/elements/element.h"

#include <cstdint>

namespace tactus::rt {

/// Both axes, through the points, lie on one line, and the bodies do not turn against each other.
struct PrismaticSpec {
  Vector3d point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();
  Vector3d axis_1 = Vector3d::Zero(), axis_2 = Vector3d::Zero();

  static constexpr const char* kName = "prismatic";
  static constexpr const char* kTitle = "prismatic";
  static constexpr std::uint8_t kNumber = 8;
  static constexpr bool kHasTravel = true;
  static Fields fields();
};

void check(const PrismaticSpec& spec, const JointSpec& joint, const FindingPlace& at);
void build(const PrismaticSpec& spec, JointBuilder& joint);

}  // namespace tactus::rt
