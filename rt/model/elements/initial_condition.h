// A named alternative to the initial state that the bodies declare.
#pragma once

#include "rt/model/elements/element.h"

#include <optional>
#include <string>
#include <vector>

namespace tactus::rt {

struct BodyStateSpec {
  std::string body;
  std::optional<Vector3d> position;
  std::optional<Vector4d> orientation;
  std::optional<Vector3d> velocity;
  std::optional<Vector3d> angular_velocity;

  static Fields fields();
};

struct InitialConditionSpec {
  std::string name;
  std::string description;
  std::vector<BodyStateSpec> bodies;

  static Fields fields();
};

/// Positions and velocities of every body, as declared; assembly happens in mechanics/initial_state.h.
struct InitialCondition {
  std::string name;  ///< empty for the state that the bodies declare
  std::vector<Vector3d> position, velocity, angular_velocity;
  std::vector<Vector4d> orientation;

  template <typename Visit>
  void constants(Visit& visit) const {
    visit.numbers(name, position, orientation, velocity, angular_velocity);
  }
};

void check(const InitialConditionSpec& condition, const FindingPlace& at);

}  // namespace tactus::rt
