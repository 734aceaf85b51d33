// A free body with two actuators, and what a TickLoop needs around it.
#pragma once

#include "rt/ali3p/compile_plan.h"
#include "rt/ali3p/step.h"
#include "rt/loop/tick_loop.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/plan/plan.h"

namespace tactus::tests {

inline rt::ModelSpec pushedBody() {
  rt::ModelSpec spec;
  spec.name = "pushed_body";
  spec.gravity = rt::Vector3d(0, 0, -9.81);
  rt::BodySpec body;
  body.name = "body";
  body.mass = 2;
  body.inertia = rt::Vector3d(0.1, 0.2, 0.25).asDiagonal();
  spec.bodies.push_back(body);
  for (const char* name : {"push", "lift"}) {
    rt::ActuatorSpec actuator;
    actuator.name = name;
    rt::BodyForceSpec force;
    force.body = "body";
    force.direction = actuator.name == "push" ? rt::Vector3d(1, 0, 0) : rt::Vector3d(0, 0, 1);
    actuator.kind = force;
    actuator.initial = actuator.name == "push" ? 0.25 : 0.5;
    spec.actuators.push_back(actuator);
  }
  return spec;
}

/// Model, Plan and initial State; keep it where it is, the loop refers to it.
struct LoopMechanism {
  rt::Model model = rt::buildModel(pushedBody());
  rt::Plan plan = rt::compilePlan(model);
  rt::Settings settings = rt::chooseSettings(model);
  rt::State initial = rt::initialState(model).state;
};

inline rt::Snapshot newest(const rt::TickLoop& loop) {
  rt::Snapshot snapshot;
  loop.ring().newest(snapshot);
  return snapshot;
}

}  // namespace tactus::tests
