// A rack, body 1, in mesh with a pinion, body 2: 1 row. It has an angle.
#pragma once

#include "rt/model/elements/element.h"

#include <cstdint>

namespace tactus::rt {

/// The travel of point 2 from point 1 along the direction, minus radius times the angle of body 2 against body 1, keeps
/// its declared value. Other joints keep the axis and the distance.
struct RackAndPinionSpec {
  Vector3d point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();
  Vector3d axis_1 = Vector3d::Zero();       ///< of the pinion, body 1
  Vector3d direction_1 = Vector3d::Zero();  ///< of the rack, body 1
  double radius = 0;                        ///< m

  static constexpr const char* kName = "rack_and_pinion";
  static constexpr const char* kTitle = "rack and pinion";
  static constexpr std::uint8_t kNumber = 14;
  static constexpr bool kHasAngle = true;
  static Fields fields();
};

void check(const RackAndPinionSpec& spec, const JointSpec& joint, const FindingPlace& at);
void build(const RackAndPinionSpec& spec, JointBuilder& joint);

}  // namespace tactus::rt
