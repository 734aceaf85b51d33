// The linear systems of built-in models against differences of the equations of motion.
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/offline/analysis/modes.h"
#include "rt/state/actuator_input.h"
#include "server/models/built_in_models.h"
#include "tests/rt/offline/analysis/rate_oracle.h"

#include <catch2/catch.hpp>

using namespace tactus;
using namespace tactus::tests;

TEST_CASE("the linear systems of built-in models are the derivatives of their equations",
          "[server][models][analysis]") {
  for (const char* name : {"chain:n=4", "double_pendulum", "four_bar", "four_bar_up", "motor_four_bar", "bricard",
                           "slider_crank", "spatial_pendulum", "spin_top", "andrews_squeezer", "gear_train",
                           "rack_steering", "cantilever:n=2", "beam_chain:n=2", "flexible_arm"}) {
    const rt::Model model = rt::buildModel(server::openBuiltInModel(name).spec);
    const rt::ActuatorInput input(model);
    const rt::State state = rt::initialState(model).state;
    CAPTURE(name);
    checkLinearSystem(model, state, input.values);
  }
}
