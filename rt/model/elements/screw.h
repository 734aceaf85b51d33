// A cylindrical joint whose travel grows by the pitch with each turn: 5 rows. It has an angle and a travel.
#pragma once

#include "rt/model/elements/element.h"

#include <cstdint>

namespace tactus::rt {

struct ScrewSpec {
  Vector3d point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();
  Vector3d axis_1 = Vector3d::Zero(), axis_2 = Vector3d::Zero();
  double pitch = 0;  ///< m a turn; below zero: left-handed

  static constexpr const char* kName = "screw";
  static constexpr const char* kTitle = "screw";
  static constexpr std::uint8_t kNumber = 15;
  static constexpr bool kHasAngle = true;
  static constexpr bool kHasTravel = true;
  static Fields fields();
};

void check(const ScrewSpec& spec, const JointSpec& joint, const FindingPlace& at);
void build(const ScrewSpec& spec, JointBuilder& joint);

}  // namespace tactus::rt
