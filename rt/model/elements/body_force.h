// An actuator: force on a body along a direction.
#pragma once

#include "rt/model/elements/element.h"
#include "rt/model/frame.h"

#include <string>

namespace tactus::rt {

struct BodyForceSpec {
  std::string body;
  Vector3d point = Vector3d::Zero();
  Vector3d direction = Vector3d::Zero();
  Frame frame = Frame::kWorld;

  static constexpr const char* kName = "body_force";
  static Fields fields();
};

void build(const BodyForceSpec& spec, Actuator& actuator, const ModelBuilder& builder);

}  // namespace tactus::rt
