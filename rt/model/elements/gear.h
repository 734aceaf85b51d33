// Two wheels in mesh: 1 row.
#pragma once

#include "rt/model/elements/element.h"

#include <cstdint>

namespace tactus::rt {

/// radius_1 (angle of body 1) + radius_2 (angle of body 2) keeps its declared value. Both angles count against the line
/// from point 1 to point 2, the centers. Of an internal gear body 2 is the ring. Other joints keep the axes parallel.
struct GearSpec {
  Vector3d point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();
  Vector3d axis_1 = Vector3d::Zero();  ///< of both wheels, body 1
  double radius_1 = 0, radius_2 = 0;   ///< of the pitch circles, m
  bool internal = false;

  static constexpr const char* kName = "gear";
  static constexpr const char* kTitle = "gear";
  static constexpr std::uint8_t kNumber = 13;
  static Fields fields();
};

void check(const GearSpec& spec, const JointSpec& joint, const FindingPlace& at);
void build(const GearSpec& spec, JointBuilder& joint);

}  // namespace tactus::rt
