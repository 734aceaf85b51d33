// A constant-velocity joint: two points coincide, and both shafts turn by the same angle, 4 rows.
#pragma once

#include "rt/model/elements/element.h"

#include <cstdint>

namespace tactus::rt {

/// The rotation that bends shaft 1 to shaft 2 has no component along them: with two directions across each shaft, which
/// bending turns into each other in the declared state, one twist is zero.
struct ConstantVelocitySpec {
  Vector3d point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();
  Vector3d axis_1 = Vector3d::Zero(), axis_2 = Vector3d::Zero();

  static constexpr const char* kName = "constant_velocity";
  static constexpr const char* kTitle = "constant velocity";
  static constexpr std::uint8_t kNumber = 24;
  static Fields fields();
};

void check(const ConstantVelocitySpec& spec, const JointSpec& joint, const FindingPlace& at);
void build(const ConstantVelocitySpec& spec, JointBuilder& joint);

}  // namespace tactus::rt
