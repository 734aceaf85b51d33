// A universal joint: two points coincide, and two axes, one on each body, stay perpendicular, 4 rows.
#pragma once

#include "rt/model/elements/element.h"

#include <cstdint>

namespace tactus::rt {

struct UniversalSpec {
  Vector3d point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();
  Vector3d axis_1 = Vector3d::Zero(), axis_2 = Vector3d::Zero();

  static constexpr const char* kName = "universal";
  static constexpr const char* kTitle = "universal";
  static constexpr std::uint8_t kNumber = 6;
  static Fields fields();
};

void check(const UniversalSpec& spec, const JointSpec& joint, const FindingPlace& at);
void build(const UniversalSpec& spec, JointBuilder& joint);

}  // namespace tactus::rt
