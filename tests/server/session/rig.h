// A session with two groups of actuators, for tests of controllers beside each other.
#pragma once

#include "rt/model/model.h"
#include "server/model_io/model_file.h"
#include "server/session/session.h"

#include <memory>
#include <string>
#include <vector>

namespace tactus::server::tests {

/// A driver has two pushes and a test bench one, which returns to zero when its controller is lost.
inline constexpr const char* kRig = R"({
  "name": "rig", "gravity": [0, 0, 0],
  "bodies": [{"name": "body", "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1}}],
  "actuators": [
    {"name": "push_x", "group": "driver", "body_force": {"body": "body", "direction": [1, 0, 0]}},
    {"name": "load", "group": "bench", "on_loss": {"action": "LOSS_ACTION_ZERO"},
     "body_force": {"body": "body", "direction": [0, 0, 1]}},
    {"name": "push_y", "group": "driver", "body_force": {"body": "body", "direction": [0, 1, 0]}}
  ]
})";
inline constexpr rt::GroupMask kDriver = 1, kBench = 2;

inline SessionSpec rigSpec(ClockChoice::Mode clock, std::int64_t miss_limit = 0) {
  SessionSpec spec;
  spec.name = "test";
  spec.model = std::make_shared<const rt::Model>(rt::buildModel(readModelText(kRig, ModelSyntax::kJson).spec));
  spec.clock.mode = clock;
  spec.miss_limit = miss_limit;
  return spec;
}

inline LeaseRequest ask(rt::GroupMask groups, const std::string& controller) {
  LeaseRequest request;
  request.groups = groups;
  request.controller = controller;
  return request;
}

inline std::vector<double> inputsOf(const Session& session) {
  return session.feed().newest().inputs;
}

}  // namespace tactus::server::tests
