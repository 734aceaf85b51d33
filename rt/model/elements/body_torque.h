// An actuator: torque on a body about a direction.
#pragma once

#include "rt/model/elements/element.h"
#include "rt/model/frame.h"

#include <string>

namespace tactus::rt {

struct BodyTorqueSpec {
  std::string body;
  Vector3d direction = Vector3d::Zero();
  Frame frame = Frame::kWorld;

  static constexpr const char* kName = "body_torque";
  static Fields fields();
};

void build(const BodyTorqueSpec& spec, Actuator& actuator, const ModelBuilder& builder);

}  // namespace tactus::rt
