// A free body that an actuator pushes, whose motion is known in closed form.
#pragma once

#include "rt/model/model.h"
#include "tests/support/mechanisms.h"

namespace tactus::tests {

/// 2 kg at rest without weight, pushed along x by the actuator "push".
inline rt::ModelSpec pushedBrick() {
  rt::ModelSpec spec = freeBody(0);
  spec.gravity = rt::Vector3d::Zero();
  spec.bodies[0].velocity.setZero();
  rt::ActuatorSpec push;
  push.name = "push";
  push.kind = rt::BodyForceSpec{"brick", rt::Vector3d::Zero(), rt::Vector3d::UnitX(), rt::Frame::kWorld};
  spec.actuators = {push};
  return spec;
}

}  // namespace tactus::tests
