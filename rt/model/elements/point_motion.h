// A sensor: component of the position, velocity or acceleration of a point of a body.
#pragma once

#include "rt/model/elements/element.h"
#include "rt/model/frame.h"

#include <array>
#include <string>

namespace tactus::rt {

enum class PointQuantity { kPosition, kVelocity, kAcceleration };

struct PointMotionSpec {
  PointQuantity quantity = PointQuantity::kPosition;  ///< by the name in the oneof
  std::string body;
  Vector3d point = Vector3d::Zero();
  Vector3d direction = Vector3d::Zero();
  Frame frame = Frame::kWorld;

  static constexpr std::array<const char*, 3> kNames = {"point_position", "point_velocity", "point_acceleration"};
  static Fields fields();
};

void build(const PointMotionSpec& spec, Sensor& sensor, const ModelBuilder& builder);

}  // namespace tactus::rt
