#include "rt/state/actuator_input.h"

#include "rt/model/model.h"

namespace tactus::rt {

ActuatorInput::ActuatorInput(const Model& model) : values(model.actuators.size()), driven(values.size(), 1) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = model.actuators[i].initial;
}

}  // namespace tactus::rt
