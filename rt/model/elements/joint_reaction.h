// A sensor: component of the reaction on body 2 of a joint, at the joint's point there.
#pragma once

#include "rt/model/elements/element.h"
#include "rt/model/frame.h"

#include <string>

namespace tactus::rt {

struct JointReactionSpec {
  std::string joint;
  bool torque = false;
  Vector3d direction = Vector3d::Zero();
  Frame frame = Frame::kWorld;  ///< kBody: body 2

  static constexpr const char* kName = "joint_reaction";
  static Fields fields();
};

void build(const JointReactionSpec& spec, Sensor& sensor, const ModelBuilder& builder);

}  // namespace tactus::rt
