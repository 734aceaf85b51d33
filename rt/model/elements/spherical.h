// A spherical joint: two points coincide, 3 rows.
#pragma once

#include "rt/model/elements/element.h"

#include <cstdint>

namespace tactus::rt {

struct SphericalSpec {
  Vector3d point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();

  static constexpr const char* kName = "spherical";
  static constexpr const char* kTitle = "spherical";
  static constexpr std::uint8_t kNumber = 0;
  static Fields fields();
};

void build(const SphericalSpec& spec, JointBuilder& joint);

}  // namespace tactus::rt
