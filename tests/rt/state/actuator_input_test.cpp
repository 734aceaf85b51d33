#include "rt/state/actuator_input.h"
#include "rt/model/model.h"

#include <catch2/catch.hpp>

using namespace tactus::rt;

TEST_CASE("the input of a model begins with the initial values of its actuators, in their order", "[rt][state]") {
  Model model;
  model.actuators.resize(2);
  model.actuators[0].initial = 0.5;
  model.actuators[1].initial = -3;
  const ActuatorInput input(model);
  CHECK(input.values == std::vector<double>{0.5, -3});
  CHECK(input.sequence == 0);
}
