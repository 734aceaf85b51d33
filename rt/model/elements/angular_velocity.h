// A sensor: component of the angular velocity of a body, rad/s.
#pragma once

#include "rt/model/elements/element.h"
#include "rt/model/frame.h"

#include <string>

namespace tactus::rt {

struct AngularVelocitySpec {
  std::string body;
  Vector3d direction = Vector3d::Zero();
  Frame frame = Frame::kWorld;

  static constexpr const char* kName = "angular_velocity";
  static Fields fields();
};

void build(const AngularVelocitySpec& spec, Sensor& sensor, const ModelBuilder& builder);

}  // namespace tactus::rt
