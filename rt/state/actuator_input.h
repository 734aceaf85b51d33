// ActuatorInput: one complete set of actuator values. The newest one wins and is held.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tactus::rt {

struct Model;

struct ActuatorInput {
  std::uint64_t sequence = 0;  ///< the client's number; 0 before the first
  std::uint64_t holder = 0;    ///< lease of the client, which numbers its inputs on its own; 0: none
  std::vector<double> values;  ///< one for each actuator of the Model, in its order
  std::vector<std::uint8_t>
      driven;  ///< 0: this actuator keeps its value, whatever `values` says. Empty: all are driven

  ActuatorInput() = default;
  explicit ActuatorInput(const Model& model);  ///< the initial values of the actuators, all of them driven

  bool drives(std::size_t actuator) const noexcept { return driven.empty() || driven[actuator] != 0; }
};

/// Values that take effect at a given tick, for runs that must be repeated bit for bit.
struct ScriptedInput {
  std::int64_t tick = 1;  ///< the first tick that uses them
  std::vector<double> values;
};

}  // namespace tactus::rt
