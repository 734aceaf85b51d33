// A sensor: acceleration of a point minus gravity, what an accelerometer or a driver feels.
#pragma once

#include "rt/model/elements/element.h"
#include "rt/model/frame.h"

#include <string>

namespace tactus::rt {

struct SpecificForceSpec {
  std::string body;
  Vector3d point = Vector3d::Zero();
  Vector3d direction = Vector3d::Zero();
  Frame frame = Frame::kWorld;

  static constexpr const char* kName = "specific_force";
  static Fields fields();
};

void build(const SpecificForceSpec& spec, Sensor& sensor, const ModelBuilder& builder);

}  // namespace tactus::rt
