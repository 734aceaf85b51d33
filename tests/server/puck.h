// A free body of a gram with two force inputs, one of them with a range: what the tests of the service run.
#pragma once

#include "rt/model/model.h"
#include "server/model_io/model_file.h"

#include <memory>
#include <string>

namespace tactus::server::tests {

inline const std::string kPuckJson = R"({
  "name": "puck", "gravity": [0, 0, 0],
  "bodies": [{"name": "body", "mass": 0.001, "inertia": {"xx": 1e-6, "yy": 1e-6, "zz": 1e-6}}],
  "actuators": [
    {"name": "push_x", "minimum": -10, "maximum": 10, "body_force": {"body": "body", "direction": [1, 0, 0]}},
    {"name": "push_y", "body_force": {"body": "body", "direction": [0, 1, 0]}}
  ]
})";

inline std::shared_ptr<const rt::Model> makePuck() {
  return std::make_shared<const rt::Model>(rt::buildModel(readModelText(kPuckJson, ModelSyntax::kJson).spec));
}

}  // namespace tactus::server::tests
